#include "squall/fault/draw.h"

#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace squall::fault {
namespace {

std::string call_site(int n) { return "[\"call\",\"search\"," + std::to_string(n) + "]"; }

TEST(Draw, IsWhatCoreutilsCompute) {
  EXPECT_EQ(draw({1337}, "err", R"(["call","search",70])", "fire"), 0x8f0d47a458a8e001U);
}

TEST(Draw, TakesFieldsOfAnyLength) {
  // Longer than what is hashed without allocating, and just around that.
  std::set<std::uint64_t> seen;
  for (std::size_t size = 800; size < 1400; ++size) {
    seen.insert(draw({1}, "r", std::string(size, 'x'), "fire"));
  }
  EXPECT_EQ(seen.size(), 600U);
}

TEST(Draw, KeepsItsFieldsApart) {
  EXPECT_NE(draw({1}, "ab", "c", "p"), draw({1}, "a", "bc", "p"));
  EXPECT_NE(draw({1}, "a", "b", "p", 12), draw({11}, "a", "b", "p", 2));
}

TEST(Strikes, NeverAtZeroAndAlwaysAtOne) {
  const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(strikes(0, *Probability::parse("0")));
  EXPECT_TRUE(strikes(all, *Probability::parse("1")));
  EXPECT_FALSE(strikes(all, *Probability::parse("999999999999999998/999999999999999999")));
}

TEST(IntegerIn, CoversTheWholeRangeOfInt64) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(integer_in(0, kLeast, kMost), kLeast);
  EXPECT_EQ(integer_in(~std::uint64_t{0}, kLeast, kMost), kMost);
  EXPECT_EQ(integer_in(std::uint64_t{1} << 63U, kLeast, kMost), 0);
  EXPECT_EQ(integer_in(~std::uint64_t{0}, 5, 5), 5);
}

TEST(Draws, GiveTheWorkedExamples) {
  const std::string site = call_site(3);
  EXPECT_EQ((Draws{{1337}, "slow", site}.integer("delay", 1500, 6000)), 5932);
  std::set<int> struck;
  for (int n = 1; n <= 40; ++n) {
    const std::string at = call_site(n);
    if (Draws{{1337}, "upstream-timeout", at}.coin(*Probability::parse("1/10"))) struck.insert(n);
  }
  EXPECT_EQ(struck, (std::set<int>{9, 16, 18, 39}));
}

TEST(Pick, MovesNothingButWhatGoesToANewOption) {
  const std::vector<Option> before = {{"a", 3}, {"b", 1}};
  std::vector<Option> after = before;
  after.push_back({"c", 2});
  std::map<std::string, int> counts;
  for (int n = 0; n < 6000; ++n) {
    const std::string site = call_site(n);
    const Draws draws{{7}, "r", site};
    const std::string old_name = before[draws.pick("p", before)].name;
    const std::string new_name = after[draws.pick("p", after)].name;
    if (new_name != "c") {
      ASSERT_EQ(new_name, old_name);
    }
    ++counts[new_name];
  }
  // Weights 3:1:2 of 6,000; five standard deviations are some 190.
  EXPECT_NEAR(counts["a"], 3000, 195);
  EXPECT_NEAR(counts["b"], 1000, 145);
  EXPECT_NEAR(counts["c"], 2000, 185);
}

TEST(Pick, DoesNotDependOnTheOrderOfTheOptions) {
  const std::vector<Option> one = {{"a", 1}, {"b", 1}, {"c", 1}};
  const std::vector<Option> two = {{"c", 1}, {"a", 1}, {"b", 1}};
  for (int n = 0; n < 200; ++n) {
    const std::string site = call_site(n);
    const Draws draws{{7}, "r", site};
    ASSERT_EQ(one[draws.pick("p", one)].name, two[draws.pick("p", two)].name);
  }
}

TEST(Order, IsAPermutationThatChangesSomething) {
  std::map<std::vector<std::size_t>, int> seen;
  for (int n = 0; n < 600; ++n) {
    const std::string site = call_site(n);
    const auto order = Draws{{3}, "r", site}.order("order", 3);
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()), (std::set<std::size_t>{0, 1, 2}));
    ++seen[order];
  }
  EXPECT_EQ(seen.size(), 5U);
  EXPECT_FALSE(seen.contains({0, 1, 2}));
  EXPECT_EQ((Draws{{3}, "r", "[]"}.order("order", 1)), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace squall::fault
