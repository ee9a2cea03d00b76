#include "squall/cases/compare.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "test_run.h"

namespace squall::cases {
namespace {

using testing::ElementsAre;
using testing::Pair;

Sites played(const std::string& profile) {
  TestRun run(profile);
  play_forty(run);
  return sites_of(run.read()).value();
}

/// Without budgets, through which one strike decides about a later one.
std::string rules_and(std::string_view rule) {
  std::string out = kManyRules;
  const std::string budget = ", budget: {strikes: 3}";
  return out.erase(out.find(budget), budget.size()) + std::string(rule);
}

TEST(Compare, FindsNothingBetweenEqualRuns) {
  const Comparison comparison = compare(played(kManyRules), played(kManyRules));
  EXPECT_TRUE(comparison.equal());
  EXPECT_EQ(comparison.same, 41U);
}

TEST(Compare, ARulePutOnTopChangesDecisionsWhereItStrikesAndNowhereElse) {
  const Sites before = played(rules_and(""));
  const Sites after = played(
      rules_and("  - {id: top, fault: rpc-error, code: -32000, rank: 1000, probability: 1/5}\n"));
  std::size_t struck = 0;
  for (const auto& [site, all] : after) {
    for (const AtSite& at : all) {
      struck +=
          static_cast<std::size_t>(std::ranges::count(at.struck, "top", &AtSite::Struck::rule));
    }
  }
  ASSERT_GT(struck, 0U);
  const Comparison comparison = compare(before, after);
  EXPECT_THAT(comparison.counts, ElementsAre(Pair(Change::decision, struck)));
  for (const Changed& one : comparison.changes) EXPECT_THAT(one.right, testing::HasSubstr("top"));
}

TEST(Compare, AnEditedMessageChangesPayloadsAndNoDecision) {
  const std::string head = "squall: 1\nname: p\nseed: 7\nrules:\n  - {fault: error, ";
  const Comparison comparison = compare(played(head + "probability: 1/3, message: one}\n"),
                                        played(head + "probability: 1/3, message: two}\n"));
  ASSERT_EQ(comparison.counts.size(), 1U);
  EXPECT_GT(comparison.counts.at(Change::payload), 5U);
  EXPECT_THAT(comparison.changes.front().left, testing::HasSubstr("one"));
}

TEST(Compare, AnotherAnswerOfTheServerIsNoDecision) {
  TestRun left(kManyRules);
  TestRun right(kManyRules);
  for (TestRun* run : {&left, &right}) {
    run->call("search", json::Value::object({{"q", 1}}), "same");
    run->call("search", json::Value::object({{"q", 2}}), run == &left ? "one" : "two");
  }
  const Comparison comparison =
      compare(sites_of(left.read()).value(), sites_of(right.read()).value());
  EXPECT_THAT(comparison.counts, ElementsAre(Pair(Change::upstream, 1U)));
  EXPECT_EQ(comparison.changes.front().site, R"(["args","search",{"q":2},1])");
}

TEST(Compare, OtherOrderAndIdsChangeNothing) {
  const std::string rules =
      "squall: 1\nname: p\nseed: 7\nrules: [{fault: error, probability: 1/3}]\n";
  TestRun left(rules);
  TestRun right(rules);
  for (int n = 0; n < 30; ++n) {
    left.call("search", json::Value::object({{"q", n}}));
    right.call("search", json::Value::object({{"q", 29 - n}}));
  }
  const Comparison comparison =
      compare(sites_of(left.read()).value(), sites_of(right.read()).value());
  EXPECT_TRUE(comparison.equal());
  EXPECT_EQ(comparison.same, 30U);
}

TEST(Compare, NamesCallsThatOneRunHasAlone) {
  TestRun left(kManyRules);
  TestRun right(kManyRules);
  left.call("search", json::Value::object({{"q", 1}}));
  right.call("search", json::Value::object({{"q", 1}}));
  right.call("search", json::Value::object({{"q", 1}}));
  const Comparison comparison =
      compare(sites_of(left.read()).value(), sites_of(right.read()).value());
  EXPECT_THAT(comparison.counts, ElementsAre(Pair(Change::only_right, 1U)));
  EXPECT_EQ(comparison.changes.front().site, R"(["args","search",{"q":1},2])");
}

TEST(Compare, ProfilesAreDecidedAtTheCallsOfACase) {
  TestRun run(kManyRules);
  play_forty(run);
  const recording::Case record = run.read();
  const auto arrivals = arrivals_of(record);
  ASSERT_EQ(arrivals.size(), 41U);
  const Sites decided = sites_of(run.inputs(), arrivals).value();
  const Comparison comparison = compare(decided, sites_of(record).value());
  EXPECT_TRUE(comparison.equal()) << json::to_pretty_string(to_json(comparison));
  // An id changed under its draw key is no other decision.
  std::string renamed = kManyRules;
  renamed.replace(renamed.find("id: slow"), 8, "id: late, draw_key: slow");
  const TestRun other(renamed);
  EXPECT_TRUE(compare(decided, sites_of(other.inputs(), arrivals).value()).equal());
}

TEST(Compare, SchedulesMeetAtTheSitesThatTheyName) {
  const auto schedule = [](const char* strikes) {
    return sites_of(fault::read_schedule("s.yaml", "squall: 1\nschedule: s\nseed: 7\nstrikes:\n" +
                                                       std::string(strikes))
                        .value());
  };
  const Sites left = schedule(
      "  - {site: '[\"spawn\",1]', rule: a, fault: crash}\n"
      "  - {site: '[\"call\",\"t\",1]', rule: b, fault: lost}\n");
  const Sites right = schedule("  - {site: '[\"call\",\"t\",1]', rule: b, fault: hang}\n");
  EXPECT_THAT(compare(left, right).counts,
              ElementsAre(Pair(Change::only_left, 1U), Pair(Change::decision, 1U)));
}

}  // namespace
}  // namespace squall::cases
