#include "squall/lab/scenario.h"

#include <gmock/gmock.h>

namespace squall::lab {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Step::Kind;

std::string refusal(std::string text) {
  const auto scenario = read_scenario("s", std::move(text));
  return scenario ? "" : scenario.error().message;
}

constexpr std::string_view kSimple = R"({
  "name": "delay", "call": {"tool": "delay", "args": {"delayMs": 5}}, "timeoutMs": 1000,
  "protocolVersion": "2025-11-25", "expect": {"outcome": "success", "maxDurationMs": 500},
  "observe": {"call": {"tool": "ping", "args": {}}, "expect": {"outcome": "success"}}})";

TEST(SimpleScenario, IsACallAndAnObserver) {
  const auto scenario = read_scenario("s.json", std::string(kSimple));
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  EXPECT_TRUE(scenario->simple);
  EXPECT_EQ(scenario->name, "delay");
  EXPECT_EQ(scenario->protocol, Protocol::legacy);
  ASSERT_EQ(scenario->steps.size(), 2U);
  EXPECT_EQ(scenario->steps[0].kind, Kind::call);
  EXPECT_EQ(scenario->steps[0].timeout, 1s);
  EXPECT_EQ(*scenario->steps[0].params.find("arguments"), json::Value::object({{"delayMs", 5}}));
  EXPECT_EQ(scenario->steps[1].kind, Kind::observe);
  EXPECT_EQ(scenario->steps[1].timeout, 30s);
}

TEST(SimpleScenario, SpeaksTheModernRevisionUnlessItSaysOtherwise) {
  const auto scenario = read_scenario("s", R"({"name":"a","call":{"tool":"t","args":{}},"expect":)"
                                           R"({"outcome":"error"}})");
  EXPECT_EQ(scenario->protocol, Protocol::modern);
  EXPECT_FALSE(scenario->protocol_given);
}

TEST(SimpleScenario, TellsAllMistakesAtOnce) {
  const std::string message =
      refusal(R"({"name":"","zzz":1,"call":{"tool":"t"},"timeoutMs":0,"expect":{"outcome":"ok"}})");
  for (const char* part : {"/name: expected a text", "/zzz: unknown key", "\"args\" is missing",
                           "/timeoutMs: expected a whole number from 1", "/expect/outcome:"}) {
    EXPECT_THAT(message, HasSubstr(part));
  }
}

constexpr std::string_view kFull = R"(
squall: 1
name: twice
protocol: auto
tags: [slow]
budgets: { setup: 5s, call: 2s }
steps:
  - call: { tool: create, args: { sku: A1 }, as: first, background: true }
    timeout: 500ms
    expect: { outcome: transport_loss }
  - wait: 10ms
  - cancel: first
  - parallel: [ { call: { tool: ping } }, { list: tools }, { read: "file:///a" } ]
  - repeat: { times: 3, steps: [ { prompt: { name: p } } ] }
  - observe: { tool: orders, connection: separate }
    expect: { result: { json: { /orders: { $length: 1 } } } }
  - raw: "{"
  - reconnect: true
expect:
  wire: [ { from: client, method: tools/call, count: 2 } ]
)";

TEST(FullScenario, HasStepsOfManyKinds) {
  const auto scenario = read_scenario("s.yaml", std::string(kFull));
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
  std::vector<Kind> kinds;
  for (const Step& step : scenario->steps) kinds.push_back(step.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::call, Kind::wait, Kind::cancel, Kind::parallel, Kind::repeat,
                                 Kind::observe, Kind::raw, Kind::reconnect));
  EXPECT_EQ(scenario->steps[0].name, "first");
  EXPECT_EQ(scenario->steps[0].timeout, 500ms);
  EXPECT_EQ(scenario->steps[1].time, 10ms);
  EXPECT_EQ(scenario->steps[3].steps.size(), 3U);
  EXPECT_EQ(scenario->steps[4].times, 3);
  EXPECT_TRUE(scenario->steps[5].separate);
  EXPECT_EQ(scenario->budgets.setup, 5s);
  EXPECT_EQ(scenario->wire.at(0).count, std::pair(std::int64_t{2}, std::int64_t{2}));
}

TEST(FullScenario, TellsAllMistakesWithTheirPlaces) {
  const std::string message = refusal(
      "squall: 2\n"
      "name: a\n"
      "steps:\n"
      "  - cal: { tool: t }\n"
      "  - cancel: frist\n"
      "  - call: { tool: t, background: true }\n"
      "  - { call: { tool: t }, wait: 1s }\n"
      "  - wait: 5\n");
  for (const char* part :
       {"s:1:9: /squall: this squall reads version 1", "did you mean call?",
        "/steps/1/cancel: no step before is called so", "a call in the background needs a name",
        "a step does one thing", "/steps/4/wait"}) {
    EXPECT_THAT(message, HasSubstr(part));
  }
}

TEST(FullScenario, IsBounded) {
  std::string deep = "squall: 1\nname: a\nsteps: ";
  for (int i = 0; i < 10; ++i) deep += "[ { parallel: ";
  deep += "[]";
  for (int i = 0; i < 10; ++i) deep += " } ]";
  EXPECT_THAT(refusal(deep), HasSubstr("nested more than 8 deep"));
  std::string long_one = "squall: 1\nname: a\nsteps:\n";
  for (int i = 0; i < 1'001; ++i) long_one += "  - wait: 1ms\n";
  EXPECT_THAT(refusal(long_one), HasSubstr("at most 1000 steps"));
}

TEST(FullScenario, AsksOnlyCallsAgainThatWait) {
  const std::string head = "squall: 1\nname: a\nsteps:\n";
  const auto read = read_scenario("s", head + "  - call: { tool: t }\n    retries: 2\n");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->steps[0].retries, 2);
  EXPECT_THAT(refusal(head + "  - list: tools\n    retries: 2\n"),
              HasSubstr("/steps/0/retries: only a call"));
  EXPECT_THAT(refusal(head + "  - call: { tool: t, as: a, background: true }\n    retries: 2\n"),
              HasSubstr("/steps/0/retries: only a call"));
  EXPECT_THAT(refusal(head + "  - call: { tool: t }\n    retries: 101\n"),
              HasSubstr("/steps/0/retries: expected a whole number from 0 to 100"));
}

}  // namespace
}  // namespace squall::lab
