#include "squall/inject/harness.h"

#include "squall/inject/example_tools.h"

#include "test_support.h"

namespace squall::inject {
namespace {

using Outcome = Invocation::Outcome;

std::unique_ptr<Harness> harness(const std::string& rules, fault::Seed seed = {1337}) {
  auto made = Harness::make(call_example_tool, profile_of(rules), seed);
  EXPECT_TRUE(made.has_value());
  return *std::move(made);
}

json::Value account(int n) {
  return json::Value::object({{"account_id", "ACC-" + std::to_string(n)}});
}

TEST(Harness, CallsAToolThroughNoFault) {
  auto calls = harness("  - {fault: error, when: {tool: other}}\n");
  const Invocation call = calls->invoke("get_account_balance", account(1001));
  EXPECT_EQ(call.outcome, Outcome::success);
  EXPECT_FALSE(call.struck());
  EXPECT_EQ(call.result, call.clean);
  EXPECT_EQ(call.executed, recording::Executed::yes);
}

TEST(Harness, TellsWhatWasDecidedAndDrawn) {
  auto calls = harness("  - {fault: error, probability: 1/2}\n");
  const Invocation call = calls->invoke("get_account_balance", account(1001));
  ASSERT_EQ(call.decision.considered.size(), 1U);
  const fault::Considered& one = call.decision.considered.front();
  EXPECT_EQ(one.site, R"(["args","get_account_balance",{"account_id":"ACC-1001"},1])");
  ASSERT_TRUE(one.bits.has_value());
  EXPECT_EQ(*one.bits, fault::draw({1337}, "error", one.site, "fire"));
  EXPECT_EQ(call.struck(), fault::strikes(*one.bits, one.rule->probability));
}

TEST(Harness, MakesCall70WithoutCalls1To69) {
  const std::string rules =
      "  - {fault: corrupt, key: call, probability: 1/2}\n"
      "  - {fault: latency, key: call, delay: {uniform: [1s, 9s]}}\n";
  auto all = harness(rules);
  Invocation seventieth;
  for (int n = 1; n <= 70; ++n) seventieth = all->invoke("search", account(n));
  auto alone = harness(rules);
  const Invocation same = alone->invoke_as({70, 70, 70, 1}, "search", account(70));
  EXPECT_EQ(seventieth.result, same.result);
  EXPECT_EQ(seventieth.delay, same.delay);
}

TEST(Harness, LetsDelaysPassAtOnce) {
  auto calls =
      harness("  - {fault: latency, delay: 30s}\n  - {fault: rate-limited, bucket: 1, per: 1m}\n");
  EXPECT_EQ(calls->invoke("search", account(1)).outcome, Outcome::success);
  EXPECT_EQ(calls->invoke("search", account(2)).outcome, Outcome::error);
  EXPECT_EQ(calls->invoke("search", account(3)).outcome, Outcome::success) << "a minute later";
}

TEST(Harness, TakesItsTimeFromAClock) {
  std::chrono::nanoseconds time{};
  HarnessOptions options;
  options.clock = [&time] { return time; };
  auto calls = *Harness::make(call_example_tool,
                              profile_of("  - {fault: rate-limited, bucket: 1, per: 1m}\n"), {1},
                              std::move(options));
  EXPECT_EQ(calls->invoke("search", account(1)).outcome, Outcome::success);
  EXPECT_EQ(calls->invoke("search", account(2)).outcome, Outcome::error);
  time = std::chrono::minutes(2);
  EXPECT_EQ(calls->invoke("search", account(3)).outcome, Outcome::success);
}

TEST(Harness, NamesWhatTheCallerSees) {
  const std::pair<std::string, Outcome> cases[] = {
      {"error", Outcome::error},
      {"lost", Outcome::lost},
      {"rpc-error, code: -32603", Outcome::protocol_error},
      {"wrong-id", Outcome::malformed},
      {"malformed", Outcome::malformed},
      {"http-status, status: 503", Outcome::http_error},
      {"hang, until: cancelled", Outcome::lost},
  };
  for (const auto& [kind, outcome] : cases) {
    auto calls = harness("  - {fault: " + kind + "}\n");
    EXPECT_EQ(name_of(calls->invoke("search", account(1)).outcome), name_of(outcome)) << kind;
  }
}

TEST(Harness, KeepsAJournalWhoseHashTellsEqualRuns) {
  const std::string rules = "  - {fault: corrupt, probability: 1/2}\n";
  auto first = harness(rules);
  auto second = harness(rules);
  auto other = harness(rules, {1338});
  for (int n = 0; n < 20; ++n) {
    static_cast<void>(first->invoke("search", account(n)));
    static_cast<void>(second->invoke("search", account(n)));
    static_cast<void>(other->invoke("search", account(n)));
  }
  EXPECT_EQ(first->run_hash(), second->run_hash());
  EXPECT_NE(first->run_hash(), other->run_hash());
  EXPECT_GT(first->journal().size(), 60U);
}

}  // namespace
}  // namespace squall::inject
