#include "run_report.h"

#include <chrono>
#include <memory>
#include <utility>

#include "squall/recording/case_reader.h"

namespace squall::cli {
namespace {

using json::Value;
using lab::Finding;
using lab::Played;
using lab::StepResult;

double milliseconds(std::chrono::nanoseconds span) {
  return std::chrono::duration<double, std::milli>(span).count();
}

std::vector<report::Expectation> to_expectations(const std::vector<Finding>& findings) {
  std::vector<report::Expectation> out;
  for (const Finding& finding : findings) {
    out.push_back({.name = finding.name,
                   .expected = finding.expected,
                   .received = finding.received,
                   .held = finding.held,
                   .timing = finding.timing});
  }
  return out;
}

report::StepReport to_step(const StepResult& step, bool three_outcomes) {
  report::StepReport out;
  out.name = step.label;
  out.judgement = step.judgement;
  out.outcome = lab::word_of(step.attempt.ending, three_outcomes);
  out.why = step.why;
  // Why there is no answer matters to whoever looks at a failure.
  if (out.why.empty() && step.judgement == lab::Judgement::failed) out.why = step.attempt.message;
  out.took = step.took;
  out.expectations = to_expectations(step.findings);
  return out;
}

// The failure lab's keys of a simple scenario

void append_failures(Value& failures, const StepResult& step, const std::string& prefix) {
  for (const Finding& finding : step.findings) {
    if (!finding.held) failures.push_back(Value(prefix + finding.text));
  }
}

void set_answer(Value& out, const StepResult& step) {
  if (step.attempt.value) {
    out.set("result", *step.attempt.value);
  } else if (!step.attempt.message.empty()) {
    out.set("error", step.attempt.message);
  }
}

Value execution_of(const Played& played) {
  Value diagnostics = Value::array();
  for (const lab::Operation& operation : played.result.operations) {
    Value one = Value::object({{"operation", operation.name()}, {"operationId", operation.id()}});
    one.set("outcome", lab::to_text(operation.outcome));
    one.set("durationMs", milliseconds(operation.took()));
    if (!operation.message.empty()) one.set("message", operation.message);
    diagnostics.push_back(std::move(one));
  }
  return Value::object({{"mode", "external"},
                        {"adapter", played.adapter},
                        {"passed", played.result.healthy},
                        {"diagnostics", std::move(diagnostics)}});
}

Value observer_of(const StepResult& step) {
  Value out = Value::object({{"outcome", lab::word_of(step.attempt.ending, true)}});
  out.set("durationMs", milliseconds(step.took));
  out.set("passed", step.judgement == lab::Judgement::passed);
  Value failures = Value::array();
  append_failures(failures, step, "");
  out.set("failures", std::move(failures));
  set_answer(out, step);
  return out;
}

Value lead_of(const Played& played) {
  const lab::RunResult& result = played.result;
  const StepResult* const primary = result.steps.empty() ? nullptr : &result.steps[0];
  const StepResult* const observer = result.steps.size() > 1 ? &result.steps[1] : nullptr;
  Value out = Value::object({{"name", played.scenario->name}});
  out.set("outcome", primary ? lab::word_of(primary->attempt.ending, true) : "error");
  out.set("durationMs", primary ? milliseconds(primary->took) : 0.0);
  out.set("passed", result.judgement == lab::Judgement::passed);
  Value failures = Value::array();
  if (primary != nullptr) append_failures(failures, *primary, "");
  if (observer != nullptr) append_failures(failures, *observer, "observer: ");
  out.set("failures", std::move(failures));
  if (!played.adapter.empty()) out.set("execution", execution_of(played));
  if (primary != nullptr) {
    set_answer(out, *primary);
  } else if (!result.why.empty()) {
    out.set("error", result.why);
  }
  if (observer != nullptr) out.set("observer", observer_of(*observer));
  return out;
}

report::SweepReport sweep_of(const lab::Sweep& sweep, const lab::SeedRange& seeds) {
  report::SweepReport out;
  out.first = seeds.first;
  out.last = seeds.last();
  out.runs = sweep.runs();
  for (const lab::FailureGroup& group : sweep.groups()) {
    out.groups.push_back({.judgement = group.judgement,
                          .what = group.what,
                          .runs = group.runs,
                          .seeds = {group.seeds.begin(), group.seeds.end()},
                          .case_id = group.case_id});
  }
  out.others = sweep.others();
  for (const inject::RuleTally& rule : sweep.rules()) {
    out.rules.push_back({rule.rule, rule.eligible, rule.fired});
  }
  return out;
}

std::string why_of(const Played& played) {
  std::string out = played.result.why;
  if (!played.trouble.empty()) out += (out.empty() ? "" : "; ") + played.trouble;
  return out;
}

}  // namespace

report::ScenarioReport to_report(const Played& played, bool timeline,
                                 const std::optional<lab::SeedRange>& seeds) {
  const lab::Scenario& scenario = *played.scenario;
  const lab::RunResult& result = played.result;
  report::ScenarioReport out;
  out.name = scenario.name;
  out.file = scenario.file;
  out.judgement = result.judgement;
  out.why = why_of(played);
  out.took = result.took;
  for (const StepResult& step : result.steps) {
    out.steps.push_back(to_step(step, scenario.simple));
  }
  if (!out.steps.empty()) out.outcome = out.steps.front().outcome;
  out.expectations = to_expectations(result.findings);
  out.protocol = result.introduction.protocol;
  out.target = played.target;
  out.seed = played.seed;
  out.case_id = played.case_id;
  out.run_hash = played.run_hash;
  if (scenario.simple && result.judgement != lab::Judgement::skipped) out.lead = lead_of(played);
  if (played.repetition.runs > 1) {
    const auto [low, high] = played.repetition.interval();
    out.repetition = report::Repetition{played.repetition.runs, played.repetition.not_passed,
                                        played.repetition.rate(), low, high};
  }
  if (played.sweep && seeds) out.sweep = sweep_of(*played.sweep, *seeds);
  if (timeline && !played.case_folder.empty()) {
    auto record = recording::read_case(played.case_folder);
    if (record) out.record = std::make_shared<const recording::Case>(*std::move(record));
  }
  return out;
}

}  // namespace squall::cli
