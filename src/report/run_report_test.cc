#include "squall/report/run_report.h"

#include <gtest/gtest.h>

#include "recorded_run.h"

namespace squall::report {
namespace {

using namespace std::chrono_literals;

TEST(FromCase, TakesTheVerdictsOfTheCase) {
  const ScenarioReport report = from_case(record_double_write());
  EXPECT_EQ(report.judgement, Judgement::failed);
  EXPECT_EQ(report.name, "a lost response must not book twice");
  ASSERT_EQ(report.steps.size(), 5u);
  EXPECT_EQ(report.steps[2].outcome, "timeout");
  EXPECT_EQ(report.steps[2].took, 500ms);
  EXPECT_EQ(report.steps[4].expectations[0].received, "2");
  EXPECT_EQ(report.target, "built-in");
  EXPECT_EQ(report.case_id.size(), 12u);
}

TEST(FromCase, IsTheSameForTheSameRun) {
  EXPECT_EQ(record_double_write()->run_hash, record_double_write()->run_hash);
}

TEST(FromCase, NeverTakesACaseThatEndedEarlyForPassed) {
  auto record = std::make_shared<recording::Case>();
  recording::Verdict verdict;
  record->events.push_back({.seq = 1, .at = {}, .body = verdict});
  EXPECT_EQ(from_case(record).judgement, Judgement::passed);
  record->ended_early = "its last line was cut off";
  EXPECT_EQ(from_case(record).judgement, Judgement::inconclusive);
  EXPECT_EQ(from_case(record).why, "its last line was cut off");
  record->events.clear();
  EXPECT_EQ(from_case(record).judgement, Judgement::inconclusive);
}

TEST(Tally, IsPassedOnlyWhenSomethingPassedAndNothingElse) {
  RunReport report;
  EXPECT_FALSE(tally(report).passed());
  report.scenarios.resize(2);
  EXPECT_TRUE(tally(report).passed());
  for (const Judgement other : {Judgement::failed, Judgement::inconclusive, Judgement::errored}) {
    report.scenarios[1].judgement = other;
    EXPECT_FALSE(tally(report).passed());
  }
  report.scenarios[1].judgement = Judgement::skipped;
  EXPECT_TRUE(tally(report).passed());
}

TEST(DurationText, HasThreeDigitsThatMatter) {
  EXPECT_EQ(duration_text(0ns), "0 ns");
  EXPECT_EQ(duration_text(999ns), "999 ns");
  EXPECT_EQ(duration_text(1500ns), "1.50 us");
  EXPECT_EQ(duration_text(517460us), "517 ms");
  EXPECT_EQ(duration_text(12345us), "12.3 ms");
  EXPECT_EQ(duration_text(999'900us), "1.00 s");
  EXPECT_EQ(duration_text(90s), "90.0 s");
}

}  // namespace
}  // namespace squall::report
