#include "squall/auth/challenge.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(ParseChallenges, ReadsWhatAnMcpServerSends) {
  const auto challenges =
      parse_challenges(R"(Bearer error="insufficient_scope", scope="mcp:read mcp:write", )"
                       R"(resource_metadata="https://h/.well-known/oauth-protected-resource/mcp")");
  ASSERT_TRUE(challenges.has_value());
  ASSERT_EQ(challenges->size(), 1U);
  EXPECT_EQ(challenges->front().scheme, "bearer");
  EXPECT_EQ(*challenges->front().find("scope"), "mcp:read mcp:write");
  EXPECT_EQ(*challenges->front().find("resource_metadata"),
            "https://h/.well-known/oauth-protected-resource/mcp");
  EXPECT_EQ(challenges->front().find("realm"), nullptr);
}

TEST(ParseChallenges, TellsSchemesFromParameters) {
  const auto challenges = parse_challenges(
      R"(, Negotiate, Basic realm="a, b=\"c\\\"" ,charset = UTF-8,,NTLM TlRMTVNTUAAB== , )"
      R"(DPoP a=b)");
  ASSERT_TRUE(challenges.has_value());
  ASSERT_EQ(challenges->size(), 4U);
  EXPECT_EQ((*challenges)[0].scheme, "negotiate");
  EXPECT_TRUE((*challenges)[0].parameters.empty());
  EXPECT_EQ((*challenges)[1].parameters, (Pairs{{"realm", "a, b=\"c\\\""}, {"charset", "UTF-8"}}));
  EXPECT_EQ((*challenges)[2].token68, "TlRMTVNTUAAB==");
  EXPECT_EQ((*challenges)[3].scheme, "dpop");
  EXPECT_EQ((*challenges)[3].parameters, (Pairs{{"a", "b"}}));
}

TEST(ParseChallenges, TakesUrlsThatNobodyQuoted) {
  const auto challenges = parse_challenges("Bearer resource_metadata=https://h/x?y=1, error=e");
  ASSERT_TRUE(challenges.has_value());
  EXPECT_EQ(challenges->front().parameters,
            (Pairs{{"resource_metadata", "https://h/x?y=1"}, {"error", "e"}}));
}

TEST(ParseChallenges, FindsNothingInAnEmptyHeader) {
  EXPECT_TRUE(parse_challenges("").value().empty());
  EXPECT_TRUE(parse_challenges(" , ,").value().empty());
}

TEST(ParseChallenges, RefusesWhatIsMalformed) {
  for (const std::string_view header :
       {"a=b", "=b", "Bearer a=\"b", "Bearer a=\"b\\", "Bearer a=b a=c", "Bearer a=1, A=2",
        "Bearer a b", "Bearer \"x\"", "NTLM abc==, x=y", "Bearer\"", "Bearer a=b\"c"}) {
    const auto challenges = parse_challenges(header);
    ASSERT_FALSE(challenges.has_value()) << header;
    EXPECT_EQ(challenges.error().kind, ErrorKind::invalid) << header;
  }
}

TEST(ParseChallenges, HasLimits) {
  EXPECT_EQ(parse_challenges(std::string(kChallengeBytesMax + 1, 'a')).error().kind,
            ErrorKind::limit);
  std::string schemes;
  for (std::size_t i = 0; i <= kChallengesMax; ++i) schemes += "Basic,";
  EXPECT_EQ(parse_challenges(schemes).error().kind, ErrorKind::limit);
  std::string parameters = "Bearer ";
  for (std::size_t i = 0; i <= kChallengeParametersMax; ++i) {
    parameters += "p" + std::to_string(i) + "=1,";
  }
  EXPECT_EQ(parse_challenges(parameters).error().kind, ErrorKind::limit);
}

}  // namespace
}  // namespace squall::auth
