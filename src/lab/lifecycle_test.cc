#include "squall/lab/lifecycle.h"

#include <stdexcept>
#include <gmock/gmock.h>

#include "squall/lab/runner.h"
#include "squall/runtime/task_set.h"

#include "fake_target.h"

namespace squall::lab {
namespace {

using namespace std::chrono_literals;
using test::FakePlan;
using test::FakeStep;
using test::FakeSubject;
using test::FakeTarget;
using testing::ElementsAre;
using testing::HasSubstr;

FakeStep takes(runtime::Duration time, Ending ending = Ending::success) {
  FakeStep step;
  step.takes = time;
  step.attempt.ending = ending;
  if (ending == Ending::success) step.attempt.value = json::Value::object();
  return step;
}

/// A simple scenario of one call, against a plan.
RunResult run(FakePlan& plan, const std::string& outcome, bool observes = false) {
  const std::string observe =
      R"(,"observe":{"call":{"tool":"t","args":{}},"expect":{"outcome":"success"}})";
  const auto scenario = read_scenario(
      "s", R"({"name":"s","call":{"tool":"t","args":{}},"timeoutMs":100,"expect":{"outcome":")" +
               outcome + "\"}" + (observes ? observe : "") + "}");
  FakeTarget target(plan);
  const RunOptions options;
  return run_once(*scenario, target, options);
}

std::vector<std::string> outcomes(const RunResult& result) {
  std::vector<std::string> out;
  for (const Operation& operation : result.operations) {
    out.push_back(std::string(operation.name()) + " " + std::string(to_text(operation.outcome)));
  }
  return out;
}

TEST(Lifecycle, GoesFromSetupToCleanup) {
  FakePlan plan;
  plan.steps = {takes(1ms), takes(99ms), takes(2ms), takes(1ms)};
  const RunResult result = run(plan, "success", true);
  EXPECT_EQ(result.judgement, Judgement::passed);
  EXPECT_THAT(plan.asked, ElementsAre("setup", "execute 1", "execute 2", "cleanup"));
  EXPECT_THAT(outcomes(result), ElementsAre("setup success", "execute success", "observe success",
                                            "cleanup success"));
  EXPECT_EQ(result.operations[1].started, 1ms);
  EXPECT_EQ(result.operations[1].took(), 99ms);
}

TEST(Lifecycle, CancelsAndGivesUpWhatTakesTooLong) {
  FakePlan plan;
  plan.steps = {takes(0ms), takes(101ms), takes(1ms), takes(0ms)};
  const RunResult result = run(plan, "timeout");
  EXPECT_EQ(result.judgement, Judgement::passed);
  EXPECT_THAT(plan.asked,
              ElementsAre("setup", "execute 1", "cancel 1: execute timed out", "cleanup"));
  EXPECT_EQ(result.operations[1].code, "deadline_exceeded");
  EXPECT_EQ(result.operations[1].message, "operation exceeded 100ms");
  EXPECT_EQ(result.steps.at(0).took, 100ms);
}

TEST(Lifecycle, CleansUpAfterASetupThatFails) {
  FakePlan plan;
  plan.steps = {takes(0ms, Ending::transport_loss), takes(0ms)};
  plan.steps[0].attempt.message = "nobody there";
  const RunResult result = run(plan, "success");
  EXPECT_EQ(result.judgement, Judgement::errored);
  EXPECT_EQ(result.why, "adapter setup failed: nobody there");
  EXPECT_THAT(outcomes(result), ElementsAre("setup transport_loss", "cleanup success"));
}

TEST(Lifecycle, TakesEachEndingOfACallForWhatItIs) {
  for (const Ending ending : {Ending::error, Ending::protocol_error, Ending::transport_loss,
                              Ending::invalid_message, Ending::cancelled}) {
    FakePlan plan;
    plan.steps = {takes(0ms), takes(0ms, ending), takes(0ms)};
    const RunResult result = run(plan, "error");
    EXPECT_EQ(result.judgement, Judgement::passed) << to_text(ending);
    EXPECT_EQ(result.operations[1].outcome, outcome_of(ending));
  }
}

TEST(Lifecycle, RefusesWhatThrows) {
  FakePlan plan;
  plan.steps = {takes(0ms), takes(0ms), takes(0ms)};
  plan.steps[1].breaks = [] { throw std::runtime_error("the fake threw"); };
  const RunResult result = run(plan, "error");
  EXPECT_EQ(result.judgement, Judgement::failed);
  EXPECT_EQ(result.operations[1].code, "adapter_operation_rejected");
  EXPECT_THAT(result.why, HasSubstr("the fake threw"));
}

TEST(Lifecycle, FailsARunWhoseCleanupDoes) {
  FakePlan plan;
  plan.steps = {takes(0ms), takes(0ms), takes(6s)};
  const RunResult result = run(plan, "success");
  EXPECT_EQ(result.judgement, Judgement::failed);
  EXPECT_THAT(result.why, HasSubstr("cleanup"));
  EXPECT_EQ(result.operations.back().took(), 5s);
}

TEST(Lifecycle, CleansUpOnceHoweverOftenItIsAsked) {
  const auto loop = runtime::SimulatedLoop::make();
  FakePlan plan;
  plan.steps = {takes(10ms)};
  FakeSubject subject(*loop, plan);
  OperationLog log(*loop);
  Lifecycle life(*loop, subject, log);
  int ended = 0;
  const auto clean = [](Lifecycle& whose, int& count) -> Task<void> {
    const Lifecycle::Done done = co_await whose.cleanup(1s);
    if (done.attempt.ending == Ending::success && done.took == 10ms) ++count;
  };
  runtime::TaskSet tasks(*loop);
  tasks.start(clean(life, ended));
  tasks.start(clean(life, ended));
  loop->run();
  tasks.start(clean(life, ended));
  loop->run();
  EXPECT_EQ(ended, 3);
  EXPECT_THAT(plan.asked, ElementsAre("cleanup"));
  EXPECT_EQ(log.all().size(), 1U);
}

}  // namespace
}  // namespace squall::lab
