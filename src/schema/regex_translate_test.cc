#include "regex_translate.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "ecma_regex.h"

namespace squall::schema {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const auto regex = Regex::compile(pattern, 1'000'000);
  if (!regex) {
    ADD_FAILURE() << pattern << ": " << regex.error().message;
    return false;
  }
  const auto result = regex->matches(text);
  EXPECT_TRUE(result.has_value()) << pattern;
  return result.value_or(false);
}

TEST(Regex, RefusesWhatEcmaScriptRefuses) {
  for (const char* pattern : {"(",
                              ")",
                              "[",
                              "]",
                              "{",
                              "}",
                              "a{",
                              "a{1",
                              "a{,2}",
                              "*",
                              "+a",
                              "a**",
                              "a++",
                              "a?+",
                              "a{2}{3}",
                              "(?=a)*",
                              "(?<=a)+",
                              "\\",
                              "\\a",
                              "\\-",
                              "\\_",
                              "\\8",
                              "\\1",
                              "(a)\\2",
                              "\\k<n>",
                              "\\00",
                              "\\cé",
                              "\\c1",
                              "\\x1",
                              "\\u12",
                              "\\u{110000}",
                              "\\u{}",
                              "\\p{Nonsense}",
                              "\\p{Greek}",
                              "\\pL",
                              "\\p{letter}",
                              "[z-a]",
                              "[\\d-z]",
                              "[a-\\w]",
                              "[\\B]",
                              "(?i)a",
                              "(?#x)",
                              "(?R)",
                              "(*FAIL)",
                              "(?P<n>a)",
                              "(?>a)",
                              "(?|a)",
                              "(?<1a>b)",
                              "(?<a>x)(?<a>y)",
                              "\\Qa\\E",
                              "\\z",
                              "[[:alpha:]]",
                              "^*",
                              "|*",
                              "\\b+"}) {
    EXPECT_FALSE(translate_ecma_regex(pattern).has_value()) << pattern;
  }
  EXPECT_FALSE(translate_ecma_regex("\xff").has_value());
}

TEST(Regex, MatchesAsEcmaScriptDoes) {
  EXPECT_TRUE(matches("^a.c$", "abc"));
  EXPECT_FALSE(matches("^a.c$", "a\nc"));
  EXPECT_FALSE(matches("^a.c$", "a\u2028c"));
  EXPECT_FALSE(matches("a$", "a\n"));
  EXPECT_TRUE(matches("^[^]$", "\n"));
  EXPECT_FALSE(matches("[]", "a"));
  EXPECT_TRUE(matches("^\\v$", "\v"));
  EXPECT_TRUE(matches("^[\\b]$", "\b"));
  EXPECT_TRUE(matches("^(?:a|(b))\\1c$", "ac"));  // a group that took no part matches nothing
  EXPECT_TRUE(matches("^\\1(a)$", "a"));
  EXPECT_TRUE(matches("^(?<twice>a)\\k<twice>$", "aa"));
  EXPECT_TRUE(matches("^\\u{1f432}\\ud83d\\udc32$", "🐲🐲"));
  EXPECT_TRUE(matches("^[^\\ud800-\\udfff]*$", "aé🐲"));
  EXPECT_FALSE(matches("\\ud800", "a"));
  EXPECT_TRUE(matches("^\\p{Script=Greek}\\P{Lu}\\p{scx=Grek}$", "αβγ"));
  EXPECT_TRUE(matches("^[\\p{Lu}\\s\\S]$", "🐲"));
  EXPECT_TRUE(matches("(?<=\\$)\\d+(?!\\.)", "costs $42"));
  EXPECT_TRUE(matches("^a{2,3}?$", "aaa"));
  EXPECT_TRUE(matches("^[[:alpha:]$", "["));  // no POSIX class
  EXPECT_TRUE(matches("^[a&&b]$", "&"));
  EXPECT_TRUE(matches("^\\/\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\\\$", "/^$.*+?()[]{}|\\"));
  EXPECT_TRUE(matches(std::string_view("^\\0\0$", 5), std::string_view("\0\0", 2)));
}

TEST(Regex, DoesNotMatchTextThatIsNoUtf8) {
  EXPECT_EQ(Regex::compile(".", 1000)->matches("\xff"), std::nullopt);
}

TEST(Regex, EndsAtItsLimitOfSteps) {
  EXPECT_EQ(Regex::compile("^(a|b|ab)*c$", 1000)->matches("abababababababababababababc!"),
            std::nullopt);
}

TEST(Regex, RefusesWhatIsTooLargeToCompile) {
  EXPECT_FALSE(Regex::compile("((a{1000}){1000}){1000}", 1000).has_value());
  EXPECT_FALSE(Regex::compile(std::string(5'000, '(') + std::string(5'000, ')'), 1000).has_value());
  EXPECT_FALSE(Regex::compile(std::string(100'000, 'a'), 1000).has_value());
}

}  // namespace
}  // namespace squall::schema
