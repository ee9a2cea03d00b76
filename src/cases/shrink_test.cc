#include "squall/cases/shrink.h"

#include <set>

#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::cases {
namespace {

/// A schedule of so many strikes, of rules "r0", "r1" ...
json::Value schedule_of(int strikes) {
  json::Value list = json::Value::array();
  for (int i = 0; i < strikes; ++i) {
    json::Value strike = json::Value::object();
    strike.set("site", "[\"call\",\"t\"," + std::to_string(i + 1) + "]");
    strike.set("rule", "r" + std::to_string(i)).set("fault", "latency");
    strike.set("with", json::Value::object({{"delay", "5932ms"}}));
    list.push_back(std::move(strike));
  }
  return json::Value::object({{"squall", 1}, {"schedule", "s"}, {"seed", "7"}, {"strikes", list}});
}

std::set<std::string> rules_of(const json::Value& schedule) {
  std::set<std::string> out;
  for (const json::Value& strike : schedule.find("strikes")->items()) {
    out.emplace(*strike.find_string("rule"));
  }
  return out;
}

bool has(const json::Value& schedule, std::initializer_list<const char*> rules) {
  const auto there = rules_of(schedule);
  return std::ranges::all_of(rules, [&there](const char* rule) { return there.contains(rule); });
}

TEST(Shrink, KeepsTheStrikesThatAreNeededTogetherAndNoOther) {
  std::uint64_t runs = 0;
  const auto out = shrink(schedule_of(64), [&runs](const json::Value& schedule) -> Result<bool> {
    ++runs;
    return has(schedule, {"r3", "r40", "r63"});
  });
  ASSERT_TRUE(out);
  EXPECT_TRUE(out->failed_again);
  EXPECT_EQ(rules_of(out->schedule), (std::set<std::string>{"r3", "r40", "r63"}));
  EXPECT_EQ(out->before, 64U);
  EXPECT_EQ(out->after, 3U);
  EXPECT_EQ(out->runs, runs);
  EXPECT_LT(runs, 200U);
}

TEST(Shrink, TakesMilderSettingsAndEarlierSites) {
  const auto out = shrink(schedule_of(9), [](const json::Value& schedule) -> Result<bool> {
    for (const json::Value& strike : schedule.find("strikes")->items()) {
      if (strike.find_string("rule") != "r7") continue;
      const std::string delay(*strike.find("with")->find_string("delay"));
      const auto site = json::parse(*strike.find_string("site")).value();
      return std::stoi(delay) >= 700 && site.items()[2].as_int64() >= 4;
    }
    return false;
  });
  ASSERT_TRUE(out);
  EXPECT_EQ(json::to_string(*out->schedule.find("strikes")),
            R"([{"site":"[\"call\",\"t\",4]","rule":"r7","fault":"latency",)"
            R"("with":{"delay":"700ms"}}])");
}

TEST(Shrink, SaysThatNothingFailedAndTriesNothingElse) {
  const auto out = shrink(schedule_of(5), [](const json::Value&) -> Result<bool> { return false; },
                          {.repeat = 4});
  ASSERT_TRUE(out);
  EXPECT_FALSE(out->failed_again);
  EXPECT_EQ(out->runs, 4U);
  EXPECT_EQ(out->after, 5U);
}

TEST(Shrink, FindsThatItFailsWithoutAnyStrike) {
  const auto out = shrink(schedule_of(5), [](const json::Value&) -> Result<bool> { return true; });
  ASSERT_TRUE(out);
  EXPECT_EQ(out->after, 0U);
  EXPECT_EQ(out->runs, 3U);
}

TEST(Shrink, BearsWithACommandThatFailsTwoTimesOfThree) {
  std::uint64_t runs = 0;
  ShrinkOptions options;
  options.repeat = 6;
  const auto out = shrink(
      schedule_of(16),
      [&runs](const json::Value& schedule) -> Result<bool> {
        ++runs;
        return has(schedule, {"r5"}) && runs % 3 != 0;
      },
      options);
  ASSERT_TRUE(out);
  EXPECT_EQ(rules_of(out->schedule), std::set<std::string>{"r5"});
  EXPECT_EQ(out->failures, 4U);
  EXPECT_EQ(out->of, 6U);
}

TEST(Shrink, StopsAtItsLimitAndAtAnError) {
  ShrinkOptions options;
  options.runs_max = 10;
  const auto cut = shrink(
      schedule_of(64),
      [](const json::Value& schedule) -> Result<bool> {
        return has(schedule, {"r1", "r62"});
      },
      options);
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->cut_short);
  EXPECT_TRUE(has(cut->schedule, {"r1", "r62"}));
  EXPECT_LE(cut->runs, 11U);
  const auto failed = shrink(schedule_of(3), [](const json::Value&) -> Result<bool> {
    return fail(ErrorKind::unavailable, "no such command");
  });
  EXPECT_EQ(failed.error().message, "no such command");
}

}  // namespace
}  // namespace squall::cases
