#include "plain_pattern.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ecma_regex.h"

namespace squall::schema {
namespace {

constexpr std::uint32_t kSteps = 100'000;

TEST(PlainPattern, IsWhatIdsNamesAndDatesHave) {
  for (const char* pattern :
       {"^$", "^INV-[0-9]+$", "^[a-zA-Z0-9_-]{1,64}$", R"(^\d{4}-\d{2}-\d{2}$)", "^#?[0-9a-f]{6}$",
        R"(^\w+\.csv$)", R"(^a\/b$)", "^[-a]{2,}$", "^a/b$", R"(^[\w.]*@$)", R"(^[$.^]$)",
        "^[|]{0}$"}) {
    EXPECT_TRUE(PlainPattern::read(pattern)) << pattern;
  }
}

TEST(PlainPattern, IsNothingElse) {
  for (const char* pattern :
       {"", "^", "$", "a", "^a", "a$", R"(^a\$)", "^a|b$", "^(a)$", "^.$", "^[^a]$", "^[]$", "^[a$",
        "^a]$", "^a{2$", "^a{2,1}$", "^a{,2}$", "^{2}$", "^*$", "^a**$", "^a+?$", "^a{70000}$",
        R"(^\s$)", R"(^\D$)", R"(^\b$)", R"(^\-$)", R"(^[\d-x]$)", "^[b-a]$", "^[a-b-c]$",
        "^[[a]]$", "^é$", R"(^\u0041$)", "^a^b$", "^a$b$",
        // What follows may begin as the repeat goes on.
        "^[a-z]*z$", "^a?a$", R"(^\w+[0-9]$)", "^a*b?a$", R"(^\d{1,3}0$)"}) {
    EXPECT_FALSE(PlainPattern::read(pattern)) << pattern;
  }
  EXPECT_FALSE(PlainPattern::read("^" + std::string(300, 'a') + "$"));
}

/// In a group, the same pattern is read by PCRE2.
void compare(const std::string& inner, const std::vector<std::string>& texts) {
  const auto plain = PlainPattern::read("^" + inner + "$");
  ASSERT_TRUE(plain) << inner;
  const auto other = Regex::compile("^(?:" + inner + ")$", kSteps);
  ASSERT_TRUE(other) << inner << other.error().message;
  for (const std::string& text : texts) {
    EXPECT_EQ(plain->matches(text), other->matches(text)) << inner << " on " << text;
  }
}

TEST(PlainPattern, MatchesAsTheWholeExpressionDoes) {
  compare("INV-[0-9]+", {"INV-7", "INV-", "INV-12a", "inv-1", "xINV-1", "INV-1\n", "INV-1é", ""});
  compare("[a-w]{2,3}x?", {"a", "ab", "abc", "abcd", "abx", "xx", "xxx", "xxxx"});
  compare("", {"", "a", "\n"});
  compare("a{0}b", {"b", "ab"});
}

TEST(PlainPattern, AgreesOnWhateverItTakes) {
  const std::vector<std::string> atoms = {"a",   "b",     "-",        R"(\d)", R"(\w)", "[ab]",
                                          "[0]", "[a-c]", R"([.\d])", "[-_]",  R"(\.)"};
  const std::vector<std::string> repeats = {"", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "{0}"};
  std::mt19937 chance(7);
  const auto pick = [&chance](const auto& from) { return from[chance() % from.size()]; };
  const std::string letters = "abc0.-_\n";
  int taken = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string inner;
    for (std::size_t n = chance() % 5; n-- > 0;) inner += pick(atoms) + pick(repeats);
    if (!PlainPattern::read("^" + inner + "$")) continue;
    ++taken;
    std::vector<std::string> texts;
    for (int t = 0; t < 20; ++t) {
      std::string& text = texts.emplace_back();
      for (std::size_t n = chance() % 7; n-- > 0;) text += pick(letters);
    }
    compare(inner, texts);
  }
  EXPECT_GT(taken, 500);
}

}  // namespace
}  // namespace squall::schema
