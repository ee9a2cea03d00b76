#include "code_answer.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

const Secret kState("st4te");

ServerMetadata server(bool sends_issuer) {
  ServerMetadata metadata;
  metadata.issuer = "https://as.example";
  metadata.sends_issuer = sends_issuer;
  return metadata;
}

std::string code_of(const std::string& query, bool sends_issuer) {
  const auto code =
      read_answer("http://127.0.0.1:1/callback" + query, kState, server(sends_issuer));
  return code ? code->reveal() : "refused: " + code.error().error.message;
}

TEST(ReadAnswer, GivesTheCodeOfTheRightIssuer) {
  EXPECT_EQ(code_of("?code=c%2F1&state=st4te&iss=https%3A%2F%2Fas.example", true), "c/1");
  EXPECT_EQ(code_of("?code=c&state=st4te&iss=https%3A%2F%2Fas.example", false), "c");
  EXPECT_EQ(code_of("?code=c&state=st4te", false), "c");
}

TEST(ReadAnswer, RefusesAnotherIssuerOrOneThatIsMissing) {
  for (const bool promised : {true, false}) {
    for (const char* issuer : {"https://evil.example", "https://as.example/", "HTTPS://as.example",
                               "https://as.example:443", ""}) {
      EXPECT_TRUE(code_of("?code=c&state=st4te&iss=" + std::string(issuer), promised)
                      .starts_with("refused"))
          << issuer;
    }
  }
  EXPECT_TRUE(code_of("?code=c&state=st4te", true).starts_with("refused"));
}

TEST(ReadAnswer, RefusesAnswersToOthers) {
  for (const char* query :
       {"?code=c", "?code=c&state=", "?code=c&state=St4te", "", "?state=st4te",
        "?code=&state=st4te", "?code=a&code=b&state=st4te", "?code=c&state=st4te&x=%FF"}) {
    EXPECT_TRUE(code_of(query, false).starts_with("refused")) << query;
  }
}

TEST(ReadAnswer, TellsTheServersRefusalPrintably) {
  const auto answer = read_answer(
      "http://h/cb?error=access_denied&error_description=no%1B%5B31m&"
      "state=st4te",
      kState, server(false));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, "access_denied");
  EXPECT_EQ(answer.error().error.message,
            "the authorization server refused: access_denied (no\\u{1b}[31m)");
}

TEST(ReadAnswer, BelievesNoErrorOfAnotherIssuer) {
  const auto answer = read_answer("http://h/cb?error=access_denied&state=st4te&iss=https://evil",
                                  kState, server(false));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, "");
}

}  // namespace
}  // namespace squall::auth
