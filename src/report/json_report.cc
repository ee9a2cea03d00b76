#include <string>

#include "squall/json/write.h"
#include "squall/report/write.h"

namespace squall::report {
namespace {

json::Value milliseconds(std::chrono::nanoseconds duration) {
  return json::Value(static_cast<double>(duration.count()) / 1e6);
}

json::Value value_of(const std::vector<Expectation>& expectations) {
  json::Value out = json::Value::array();
  for (const Expectation& each : expectations) {
    out.push_back(json::Value::object({{"name", each.name},
                                       {"expected", each.expected},
                                       {"received", each.received},
                                       {"held", each.held}}));
  }
  return out;
}

json::Value value_of(const Repetition& repetition) {
  return json::Value::object({{"runs", repetition.runs},
                              {"notPassed", repetition.not_passed},
                              {"rate", repetition.rate},
                              {"low", repetition.low},
                              {"high", repetition.high}});
}

json::Value value_of(const SweepReport& sweep) {
  json::Value groups = json::Value::array();
  for (const SweepReport::Group& group : sweep.groups) {
    json::Value seeds = json::Value::array();
    for (const std::uint64_t seed : group.seeds) seeds.push_back(std::to_string(seed));
    json::Value one = json::Value::object({{"verdict", recording::to_text(group.judgement)},
                                           {"what", group.what},
                                           {"runs", group.runs}});
    one.set("seeds", std::move(seeds)).set("case", group.case_id);
    groups.push_back(std::move(one));
  }
  json::Value rules = json::Value::array();
  for (const SweepReport::Rule& rule : sweep.rules) {
    rules.push_back(json::Value::object(
        {{"rule", rule.rule}, {"eligible", rule.eligible}, {"fired", rule.fired}}));
  }
  json::Value out = json::Value::object({{"first", std::to_string(sweep.first)},
                                         {"last", std::to_string(sweep.last)},
                                         {"runs", sweep.runs}});
  out.set("groups", std::move(groups)).set("others", sweep.others);
  out.set("rules", std::move(rules));
  return out;
}

/// What steps and scenarios have in common.
template <typename Part>
void set_verdict(json::Value& out, const Part& part) {
  out.set("verdict", recording::to_text(part.judgement));
  if (!out.contains("outcome")) out.set("outcome", part.outcome);
  if (!out.contains("durationMs")) out.set("durationMs", milliseconds(part.took));
  out.set("why", part.why);
  out.set("expectations", value_of(part.expectations));
}

json::Value value_of(const ScenarioReport& scenario) {
  // A simple scenario keeps failure-lab's keys, in front and as they are.
  json::Value out = scenario.lead.is_object() ? scenario.lead : json::Value::object();
  if (!out.contains("name")) out.set("name", scenario.name);
  set_verdict(out, scenario);
  out.set("file", scenario.file);
  json::Value steps = json::Value::array();
  for (const StepReport& step : scenario.steps) {
    json::Value value = json::Value::object({{"name", step.name}});
    set_verdict(value, step);
    steps.push_back(std::move(value));
  }
  out.set("steps", std::move(steps)).set("protocol", scenario.protocol);
  out.set("target", scenario.target);
  out.set("seed", scenario.seed ? json::Value(std::to_string(*scenario.seed)) : json::Value());
  out.set("case", scenario.case_id).set("runHash", scenario.run_hash);
  if (scenario.repetition) out.set("repetition", value_of(*scenario.repetition));
  if (scenario.sweep) out.set("sweep", value_of(*scenario.sweep));
  out.set("repeat", scenario.repeat).set("endedEarly", scenario.ended_early);
  return out;
}

}  // namespace

std::string to_json(const RunReport& report) {
  const Tally total = tally(report);
  json::Value summary = json::Value::object();
  for (std::size_t i = 0; i < total.counts.size(); ++i) {
    summary.set(recording::to_text(static_cast<Judgement>(i)), total.counts[i]);
  }
  summary.set("durationMs", milliseconds(total.took));
  json::Value scenarios = json::Value::array();
  for (const ScenarioReport& each : report.scenarios) scenarios.push_back(value_of(each));

  json::Value out = json::Value::object();
  // One simple scenario is read by failure-lab's users: its keys stand at the top.
  if (report.scenarios.size() == 1 && report.scenarios[0].lead.is_object()) {
    out = report.scenarios[0].lead;
  }
  out.set("squall_report", 1).set("tool", report.tool).set("started", report.started);
  out.set("passed", total.passed()).set("summary", std::move(summary));
  out.set("scenarios", std::move(scenarios));
  return json::to_pretty_string(out) + "\n";
}

}  // namespace squall::report
