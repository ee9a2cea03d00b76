#include "run_report.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using lab::Ending;

lab::Played external(Ending ending) {
  static const lab::Scenario scenario =
      lab::read_scenario("s.json", R"({"name":"s","call":{"tool":"t","args":{}},)"
                                   R"("expect":{"outcome":"error"}})")
          .value();
  lab::Played out;
  out.scenario = &scenario;
  out.adapter = "mcp";
  lab::StepResult step;
  step.label = "call t";
  step.attempt.ending = ending;
  step.attempt.message = "it went away";
  out.result.steps.push_back(step);
  lab::Operation operation;
  operation.kind = lab::Operation::Kind::execute;
  operation.number = 1;
  operation.ended = std::chrono::milliseconds(5);
  operation.outcome = lab::outcome_of(ending);
  operation.message = "it went away";
  out.result.operations.push_back(operation);
  return out;
}

TEST(ToReport, HasTheOperationsOfAnExternalRun) {
  const auto report = to_report(external(Ending::transport_loss), false);
  EXPECT_EQ(report.outcome, "error");  // one of the simple form's three
  const json::Value* const execution = report.lead.find("execution");
  ASSERT_NE(execution, nullptr);
  EXPECT_EQ(execution->find_string("mode"), "external");
  EXPECT_EQ(execution->find_string("adapter"), "mcp");
  EXPECT_TRUE(execution->find("passed")->boolean());
  const json::Value& first = execution->find("diagnostics")->items()[0];
  EXPECT_EQ(first.find_string("operationId"), "external-run:execute:1");
  EXPECT_EQ(first.find_string("outcome"), "transport_loss");
  EXPECT_EQ(first.find("durationMs")->as_double(), 5.0);
  EXPECT_EQ(report.lead.find_string("error"), "it went away");
  EXPECT_FALSE(report.repetition.has_value());
}

TEST(ToReport, ShowsHowOftenItWasRun) {
  lab::Played played = external(Ending::error);
  played.repetition = {10, 3};
  const auto report = to_report(played, false);
  ASSERT_TRUE(report.repetition.has_value());
  EXPECT_EQ(report.repetition->not_passed, 3U);
  EXPECT_EQ(report::repetition_text(*report.repetition),
            "3 of 10 runs did not pass: 30.0% (95%: 10.8% to 60.3%)");
}

}  // namespace
}  // namespace squall::cli
