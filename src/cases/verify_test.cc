#include "squall/cases/verify.h"

#include <gmock/gmock.h>

#include "test_run.h"

namespace squall::cases {
namespace {

using testing::HasSubstr;
using Outcome = Verification::Outcome;

recording::Decision& decision_of(TestRun& run, std::size_t nth) {
  for (recording::EventBody& event : run.events) {
    auto* decision = std::get_if<recording::Decision>(&event);
    if (decision != nullptr && nth-- == 0) return *decision;
  }
  ADD_FAILURE() << "so many decisions there aren't";
  std::abort();
}

Verification judged(const TestRun& run) {
  auto out = verify(run.read());
  EXPECT_TRUE(out) << out.error().message;
  return *std::move(out);
}

TEST(Verify, FindsEveryDecisionOfARunTheSame) {
  TestRun run(kManyRules);
  play_forty(run);
  const Verification verification = judged(run);
  EXPECT_EQ(verification.outcome(), Outcome::same) << json::to_pretty_string(to_json(verification));
  EXPECT_EQ(verification.decisions, 41U);
  EXPECT_GT(verification.strikes, 15U);
  EXPECT_EQ(verification.run_hash, run.read().run_hash);
  EXPECT_EQ(verification.run_hash.size(), 64U);
}

/// Each way to tell of a decision what it wasn't.
TEST(Verify, FindsWhateverWasRecordedOtherwise) {
  using Change = std::function<void(recording::Considered&)>;
  const std::pair<const char*, Change> changes[] = {
      {"drew", [](auto& rule) { rule.draw = 1; }},
      {"struck below 1/2", [](auto& rule) { rule.threshold = "1/2"; }},
      {"as recorded",
       [](auto& rule) {
         const bool won = rule.standing == recording::Standing::won;
         rule.standing = won ? recording::Standing::missed : recording::Standing::won;
       }},
      {"the record has site", [](auto& rule) { rule.site = R"(["args","search",{},9])"; }},
  };
  for (const auto& [why, change] : changes) {
    TestRun run(kManyRules);
    play_forty(run);
    change(decision_of(run, 5).rules.front());
    const Verification verification = judged(run);
    EXPECT_EQ(verification.outcome(), Outcome::different) << why;
    ASSERT_EQ(verification.differences.size(), 1U) << why;
    EXPECT_THAT(verification.differences.front().why, HasSubstr(why));
    EXPECT_EQ(verification.differences.front().in, decision_of(run, 5).in);
  }
}

TEST(Verify, FindsOtherParametersAndRulesLeftOut) {
  TestRun run("squall: 1\nname: p\nseed: 7\nrules: [{fault: latency, delay: 5ms}]\n");
  play_forty(run);
  decision_of(run, 3).rules.front().parameters.set("delay", "6ms");
  decision_of(run, 4).rules.clear();
  decision_of(run, 5).rules.front().rule = "other";
  const Verification verification = judged(run);
  ASSERT_EQ(verification.differences.size(), 4U);
  EXPECT_THAT(verification.differences[0].why, HasSubstr("6ms"));
  EXPECT_THAT(verification.differences[1].why, HasSubstr("isn't recorded, and struck"));
  EXPECT_THAT(verification.differences[2].why, HasSubstr("no such rule"));
  EXPECT_THAT(verification.differences[3].why, HasSubstr("isn't recorded"));
}

TEST(Verify, FindsAnotherSeed) {
  TestRun run(kManyRules);
  play_forty(run);
  run.header.seed = 8;
  EXPECT_EQ(judged(run).outcome(), Outcome::different);
}

TEST(Verify, SaysWhatItCouldNotRecomputeAndStillHoldsItAgainstItself) {
  TestRun run(kManyRules);
  play_forty(run);
  // The message that the sixth decision was about is gone, and so is the count of those behind it.
  const std::uint64_t in = decision_of(run, 5).in;
  std::erase_if(run.events, [in](const recording::EventBody& event) {
    const auto* message = std::get_if<recording::Message>(&event);
    return message != nullptr && message->in == in;
  });
  const Verification verification = judged(run);
  EXPECT_EQ(verification.outcome(), Outcome::could_not);
  EXPECT_EQ(verification.unknown, 36U);
  EXPECT_THAT(verification.gaps.front().why, HasSubstr("isn't recorded"));
  EXPECT_THAT(verification.gaps.back().why, HasSubstr("couldn't be counted"));

  decision_of(run, 9).rules.front().draw = 5;
  EXPECT_EQ(judged(run).outcome(), Outcome::different);
}

TEST(Verify, TakesASecretInASiteForNoDifference) {
  TestRun run("squall: 1\nname: p\nseed: 7\nrules: [{fault: error, probability: 1/2}]\n");
  run.call("search", json::Value::object({{"token", "hunter2"}}));
  for (recording::EventBody& event : run.events) {
    auto* message = std::get_if<recording::Message>(&event);
    if (message == nullptr || message->in != 1) continue;
    auto value = json::parse(message->payload.bytes).value();
    value.find("params")->find("arguments")->set("token", "[redacted:TOKEN]");
    message->payload = recording::Payload(json::to_string(value));
    message->payload.redacted = true;
  }
  const Verification verification = judged(run);
  EXPECT_EQ(verification.outcome(), Outcome::could_not);
  EXPECT_THAT(verification.gaps.front().why, HasSubstr("secret"));
}

TEST(Verify, KnowsAPrefixedToolByTheUpstreamsName) {
  TestRun run(kManyRules);
  play_forty(run);
  for (recording::EventBody& event : run.events) {
    auto* message = std::get_if<recording::Message>(&event);
    if (message == nullptr || message->from != recording::Party::client) continue;
    auto value = json::parse(message->payload.bytes).value();
    json::Value* params = value.find("params");
    const auto name = params->find_string("name");
    if (!name) continue;
    params->set("name", "files__" + std::string(*name));
    message->payload = recording::Payload(json::to_string(value));
  }
  EXPECT_EQ(judged(run).outcome(), Outcome::same);
}

TEST(Verify, AllowsForStrikesUnderWayWhereABudgetCountsThem) {
  TestRun run(
      "squall: 1\nname: p\nseed: 7\nrules:\n"
      "  - {id: a, fault: error, budget: {concurrent: 1}}\n  - {id: b, fault: empty}\n");
  play_forty(run);
  recording::Decision& decision = decision_of(run, 2);
  decision.rules[0].standing = recording::Standing::exhausted;
  decision.rules[1].standing = recording::Standing::won;
  EXPECT_EQ(judged(run).outcome(), Outcome::same);
}

TEST(Verify, VerifiesASchedulesRunAlso) {
  TestRun first(kManyRules);
  play_forty(first);
  const std::string strikes =
      R"({"squall":1,"schedule":"s","seed":"7","strikes":[
        {"site":"[\"call\",\"search\",3]","rule":"x","fault":"error"},
        {"site":"[\"args\",\"search\",{\"cursor\":9,\"id\":2},1]","rule":"y","fault":"lost"}]})";
  TestRun run(Pinned{json::parse(strikes).value()});
  play_forty(run);
  const Verification verification = judged(run);
  EXPECT_EQ(verification.outcome(), Outcome::same);
  EXPECT_EQ(verification.strikes, 2U);
  // A strike that isn't where it was needn't be recorded; one that is must be.
  decision_of(run, 0).rules.clear();
  EXPECT_EQ(judged(run).outcome(), Outcome::same);
  decision_of(run, 6).rules.clear();
  decision_of(run, 9).rules.clear();
  EXPECT_EQ(judged(run).outcome(), Outcome::different);
}

}  // namespace
}  // namespace squall::cases
