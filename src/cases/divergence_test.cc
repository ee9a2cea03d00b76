#include "squall/cases/divergence.h"

#include <gmock/gmock.h>

#include "test_run.h"

namespace squall::cases {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr const char* kRules =
    "squall: 1\nname: p\nseed: 7\nrules:\n"
    "  - {id: gone, fault: lost, probability: 1/2}\n";

/// Some calls; the third is answered by `third`.
TestRun run_of(const std::string& profile, const std::string& third = "three", int calls = 6) {
  TestRun run(profile);
  for (int i = 0; i < calls; ++i) {
    run.call("search", json::Value::object({{"q", i}}), i == 2 ? third : "fine");
  }
  run.events.emplace_back(recording::Exit{});
  return run;
}

std::optional<Divergence> between(const TestRun& left, const TestRun& right,
                                  const CompareOptions& options = {}) {
  return first_divergence(left.read(), right.read().events, options);
}

TEST(Divergence, ThereIsNoneBetweenEqualRuns) {
  EXPECT_EQ(between(run_of(kRules), run_of(kRules), {.tolerance = milliseconds{0}}), std::nullopt);
}

TEST(Divergence, NamesTheClientThatSentSomethingElse) {
  const auto more = between(run_of(kRules), run_of(kRules, "three", 7));
  ASSERT_TRUE(more);
  EXPECT_EQ(more->cause, Divergence::Cause::client);
  EXPECT_EQ(more->recorded, "");
  EXPECT_THAT(more->replayed, HasSubstr("\"q\":6"));
  const auto fewer = between(run_of(kRules), run_of(kRules, "three", 5));
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->cause, Divergence::Cause::client);
  EXPECT_THAT(fewer->recorded, HasSubstr("\"q\":5"));
}

TEST(Divergence, NamesTheServerThatAnsweredSomethingElse) {
  const auto found = between(run_of(kRules), run_of(kRules, "drei"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cause, Divergence::Cause::upstream);
  EXPECT_EQ(found->what, "the server's answer to tools/call search");
  EXPECT_THAT(found->recorded, HasSubstr("three"));
  EXPECT_THAT(found->replayed, HasSubstr("drei"));
}

TEST(Divergence, NamesOtherFaults) {
  const std::string always = "squall: 1\nname: p\nseed: 7\nrules:\n  - {id: gone, fault: lost}\n";
  const auto found = between(run_of(kRules), run_of(always));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cause, Divergence::Cause::decision);
  EXPECT_EQ(found->what, "the faults of tools/call search");
  EXPECT_EQ(found->recorded, "");
  EXPECT_EQ(found->replayed, "gone lost");
}

TEST(Divergence, PrefersWhatCameFirst) {
  // The server differs at the third call, the client behind the sixth.
  const auto found = between(run_of(kRules), run_of(kRules, "drei", 7));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cause, Divergence::Cause::upstream);
}

TEST(Divergence, LooksAtTimesOnlyWhereTheyMatter) {
  const recording::Case recorded = run_of(kRules).read();
  auto later = run_of(kRules).read().events;
  for (recording::Event& event : later) event.at += milliseconds{10};
  EXPECT_EQ(first_divergence(recorded, later), std::nullopt);
  EXPECT_EQ(first_divergence(recorded, later, {.tolerance = milliseconds{10}}), std::nullopt);
  const auto found = first_divergence(recorded, later, {.tolerance = milliseconds{9}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cause, Divergence::Cause::timing);
  EXPECT_EQ(to_json(*found).find_string("cause"), "timing");
}

TEST(Divergence, TakesAVerdictThatADurationDecidedForTiming) {
  TestRun left = run_of(kRules);
  TestRun right = run_of(kRules);
  recording::Verdict verdict;
  verdict.name = "fast";
  left.events.insert(left.events.end() - 1, verdict);
  verdict.judgement = recording::Judgement::failed;
  verdict.expectations = {
      {.name = "max duration", .expected = "1", .received = "2", .timing = true}};
  right.events.insert(right.events.end() - 1, verdict);
  EXPECT_EQ(between(left, right)->cause, Divergence::Cause::timing);
  std::get<recording::Verdict>(*(right.events.end() - 2)).expectations[0].timing = false;
  EXPECT_EQ(between(left, right)->cause, Divergence::Cause::client);
}

TEST(Divergence, ComparesOnlyWhatACaseHasThatEndedEarly) {
  recording::Case recorded = run_of(kRules).read();
  const auto whole = recorded.events;
  recorded.events.resize(recorded.events.size() / 2);
  recorded.ended_early = "it was cut off";
  EXPECT_EQ(first_divergence(recorded, whole), std::nullopt);
}

TEST(Divergence, KnowsAScheduleByItsKinds) {
  const std::string renamed =
      "squall: 1\nname: p\nseed: 7\nrules:\n"
      "  - {id: other, draw_key: gone, fault: lost, probability: 1/2}\n";
  const TestRun left = run_of(kRules);
  TestRun right = run_of(renamed);
  EXPECT_TRUE(between(left, right));
  // The rule of a delivery is told by nothing that is compared.
  EXPECT_EQ(between(left, right, {.pinned = true}), std::nullopt);
}

}  // namespace
}  // namespace squall::cases
