#include "squall/mcp/uri_template.h"

#include <gtest/gtest.h>

namespace squall::mcp {
namespace {

TEST(UriTemplate, GivesTheVariablesOfAUriThatFits) {
  const UriTemplate one = *UriTemplate::parse("test://template/{id}/data");
  EXPECT_EQ(one.match("test://template/123/data"), (UriTemplate::Variables{{"id", "123"}}));
  EXPECT_EQ(one.match("test://template/a%20b/data"), (UriTemplate::Variables{{"id", "a b"}}));
  const UriTemplate path = *UriTemplate::parse("file:///{+path}");
  EXPECT_EQ(path.match("file:///a/b?c"), (UriTemplate::Variables{{"path", "a/b?c"}}));
  const UriTemplate two = *UriTemplate::parse("x://{a}/{b}.json");
  EXPECT_EQ(two.match("x://1/2.json.json"), (UriTemplate::Variables{{"a", "1"}, {"b", "2.json"}}));
}

TEST(UriTemplate, RefusesAUriThatDoesNotFit) {
  const UriTemplate one = *UriTemplate::parse("test://template/{id}/data");
  for (const char* uri : {"", "test://template//data", "test://template/1/2/data",
                          "test://template/1/data/", "test://template/1/dat", "other://1"}) {
    EXPECT_EQ(one.match(uri), std::nullopt) << uri;
  }
}

TEST(UriTemplate, RefusesTemplatesItCannotReadBackwards) {
  for (const char* text : {"a{", "a}", "{a", "{}", "{?q}", "{a}{b}", "{a}/{a}", "{a,b}", "{a:3}"}) {
    EXPECT_FALSE(UriTemplate::parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace squall::mcp
