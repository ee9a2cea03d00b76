#include "squall/auth/form.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

TEST(Form, EscapesWhatIsNotUnreserved) {
  Form form;
  form.add("scope", "a b").add("resource", "https://h/mcp?x=1&y").add_unless_empty("none", "");
  EXPECT_EQ(form.text(), "scope=a%20b&resource=https%3A%2F%2Fh%2Fmcp%3Fx%3D1%26y");
  EXPECT_EQ(percent_encode("~-._aZ9\n\xC3\xA4+"), "~-._aZ9%0A%C3%A4%2B");
}

TEST(Form, KnowsWhenATextHoldsOneOfItsSecrets) {
  Form form;
  form.add("grant_type", "refresh_token").add_secret("refresh_token", Secret("r-123"));
  EXPECT_TRUE(form.leaks_into("token r-123 is unknown"));
  EXPECT_FALSE(form.leaks_into("refresh_token is unknown"));
  EXPECT_FALSE(Form().add_secret("code", Secret()).leaks_into("anything"));
}

TEST(ParseQuery, DecodesInOrder) {
  const auto parameters = parse_query("code=a%2Fb+c&&state=&flag");
  ASSERT_TRUE(parameters.has_value());
  const Parameters expected{{"code", "a/b c"}, {"state", ""}, {"flag", ""}};
  EXPECT_EQ(*parameters, expected);
  EXPECT_EQ(*find(*parameters, "code"), "a/b c");
  EXPECT_EQ(find(*parameters, "iss"), nullptr);
}

TEST(ParseQuery, ReadsBackWhatAFormWrites) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  Form form;
  form.add(every_byte, every_byte);
  const auto parameters = parse_query(form.text());
  ASSERT_TRUE(parameters.has_value());
  EXPECT_EQ(*parameters, (Parameters{{every_byte, every_byte}}));
}

TEST(ParseQuery, RefusesWhatTwoReadersCouldTakeDifferently) {
  for (const std::string_view query :
       {"code=1&code=2", "code=1&c%6Fde=2", "a=%", "a=%2", "a=%zz"}) {
    const auto parameters = parse_query(query);
    ASSERT_FALSE(parameters.has_value()) << query;
    EXPECT_EQ(parameters.error().kind, ErrorKind::invalid);
  }
}

TEST(ParseQuery, HasLimits) {
  EXPECT_EQ(parse_query(std::string(kQueryBytesMax + 1, 'a')).error().kind, ErrorKind::limit);
  std::string many;
  for (std::size_t i = 0; i <= kQueryParametersMax; ++i) many += "p" + std::to_string(i) + "=&";
  EXPECT_EQ(parse_query(many).error().kind, ErrorKind::limit);
}

TEST(Scopes, AreWordsEachOnce) {
  EXPECT_EQ(parse_scopes("  mcp:read mcp:write  mcp:read "), (Scopes{"mcp:read", "mcp:write"}));
  EXPECT_EQ(parse_scopes("a \"b\" c\\ d\te f"), (Scopes{"a", "f"}));
  EXPECT_EQ(merge_scopes({"a", "b"}, {"b", "c"}), (Scopes{"a", "b", "c"}));
  EXPECT_EQ(join_scopes({"a", "b"}), "a b");
  std::string many;
  for (std::size_t i = 0; i < 2 * kScopesMax; ++i) many += std::to_string(i) + " ";
  EXPECT_EQ(parse_scopes(many).size(), kScopesMax);
}

}  // namespace
}  // namespace squall::auth
