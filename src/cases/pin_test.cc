#include "squall/cases/pin.h"

#include <gmock/gmock.h>

#include "squall/cases/compare.h"

#include "test_run.h"

namespace squall::cases {
namespace {

using testing::HasSubstr;

TEST(Pin, MakesAScheduleThatDecidesTheSame) {
  TestRun run(kManyRules);
  play_forty(run);
  const auto schedule = pin(run.read());
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_GT(schedule->find("strikes")->size(), 15U);

  TestRun again(Pinned{*schedule});
  play_forty(again);
  const Comparison comparison =
      compare(sites_of(run.read()).value(), sites_of(again.read()).value());
  EXPECT_TRUE(comparison.equal()) << json::to_pretty_string(to_json(comparison));
  EXPECT_EQ(comparison.same, 41U);
  // Pinning what is pinned changes nothing.
  const auto twice = pin(again.read());
  ASSERT_TRUE(twice) << twice.error().message;
  EXPECT_EQ(*twice, *schedule);
}

TEST(Pin, WritesTextThatReadsBack) {
  TestRun run(kManyRules);
  play_forty(run);
  const json::Value schedule = pin(run.read()).value();
  const std::string text = to_yaml(schedule, "of a run");
  EXPECT_THAT(text, testing::StartsWith("# of a run\nsquall: 1\n"));
  const auto read = fault::read_schedule("s.yaml", text);
  ASSERT_TRUE(read) << read.error().message << text;
  EXPECT_EQ(read->rules.size(), schedule.find("strikes")->size());
  EXPECT_TRUE(
      fault::read_schedule("s.yaml", to_yaml(pin(TestRun(kManyRules).read()).value(), "x")));
}

TEST(Pin, LeavesOutWhatHadNothingToChange) {
  TestRun run("squall: 1\nname: p\nseed: 7\nrules: [{fault: corrupt}]\n");
  const std::uint64_t first = run.call("search", json::Value::object({{"q", 1}}));
  run.call("search", json::Value::object({{"q", 2}}));
  recording::Decision noop;
  noop.in = first;
  noop.rules.resize(1);
  noop.rules[0].rule = "corrupt";
  noop.rules[0].kind = "corrupt";
  noop.rules[0].site = R"(["args","search",{"q":1},1])";
  noop.rules[0].standing = recording::Standing::noop;
  run.events.emplace_back(noop);
  const auto schedule = pin(run.read());
  ASSERT_TRUE(schedule) << schedule.error().message;
  ASSERT_EQ(schedule->find("strikes")->size(), 1U);
  EXPECT_EQ(schedule->find("strikes")->items()[0].find_string("site"),
            R"(["args","search",{"q":2},1])");
}

TEST(Pin, StandsForEveryAttemptOfARecord) {
  TestRun run("squall: 1\nname: p\nseed: 7\nrules: [{fault: error, key: record}]\n");
  run.call("search", json::Value::object());
  run.call("search", json::Value::object());
  EXPECT_EQ(pin(run.read()).value().find("strikes")->size(), 1U);
}

TEST(Pin, RefusesWhatAScheduleCannotSay) {
  // Struck at the first attempt alone, at a site that every attempt has.
  TestRun run("squall: 1\nname: p\nseed: 7\nrules: [{fault: error, key: record, attempts: [1]}]\n");
  run.call("search", json::Value::object());
  run.call("search", json::Value::object());
  EXPECT_THAT(pin(run.read()).error().message, HasSubstr("met more than once"));

  TestRun wrong(kManyRules);
  play_forty(wrong);
  wrong.header.seed = 8;
  EXPECT_THAT(pin(wrong.read()).error().message, HasSubstr("squall verify"));
}

}  // namespace
}  // namespace squall::cases
