#include <cstdio>
#include <string>

#include "squall/report/write.h"

#include "plain_text.h"

namespace squall::report {
namespace {

std::string attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + xml_escaped(value, true) + "\"";
}

std::string seconds(std::chrono::nanoseconds duration) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6f", static_cast<double>(duration.count()) / 1e9);
  return text;
}

/// What one test case of JUnit says: a step, or the run as a whole.
struct Result {
  Judgement judgement;
  std::string why;
  const std::vector<Expectation>& expectations;
};

std::string details_of(const Result& result) {
  std::string out = result.why;
  for (const Expectation& each : result.expectations) {
    if (each.held) continue;
    if (!out.empty()) out += "\n";
    out += each.name + ": expected " + each.expected + ", received " + each.received;
  }
  return out.empty() ? std::string(recording::to_text(result.judgement)) : out;
}

/// Inconclusive is no success anywhere, and JUnit has no word for it: an error.
const char* element_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::passed:
      return nullptr;
    case Judgement::failed:
      return "failure";
    case Judgement::skipped:
      return "skipped";
    case Judgement::inconclusive:
    case Judgement::errored:
      return "error";
  }
  return nullptr;
}

struct Counts {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;

  void add(Judgement judgement) {
    ++tests;
    failures += judgement == Judgement::failed;
    errors += judgement == Judgement::errored || judgement == Judgement::inconclusive;
    skipped += judgement == Judgement::skipped;
  }
  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
  [[nodiscard]] std::string attributes() const {
    return attribute("tests", std::to_string(tests)) +
           attribute("failures", std::to_string(failures)) +
           attribute("errors", std::to_string(errors)) +
           attribute("skipped", std::to_string(skipped));
  }
};

std::string output_of(const ScenarioReport& scenario) {
  std::string out;
  if (!scenario.case_id.empty()) out += "case: " + scenario.case_id + "\n";
  if (!scenario.run_hash.empty()) out += "run hash: " + scenario.run_hash + "\n";
  if (!scenario.repeat.empty()) out += "repeat: " + scenario.repeat + "\n";
  if (!scenario.sweep) return out;
  for (const SweepReport::Group& group : scenario.sweep->groups) {
    out += std::string(recording::to_text(group.judgement)) + " with " +
           std::to_string(group.runs) + " seeds, the first " +
           std::to_string(group.seeds.empty() ? 0 : group.seeds.front()) + ": " + group.what + "\n";
  }
  return out;
}

void append_case(std::string& out, const ScenarioReport& scenario, std::string_view name,
                 std::chrono::nanoseconds took, const Result& result) {
  out += "    <testcase" + attribute("name", name) + attribute("classname", scenario.name) +
         attribute("time", seconds(took));
  if (!scenario.file.empty()) out += attribute("file", scenario.file);
  out += ">\n";
  if (const char* const element = element_of(result.judgement)) {
    const std::string details = details_of(result);
    const std::string message = details.substr(0, details.find('\n'));
    out += std::string("      <") + element + attribute("message", message);
    if (result.judgement != Judgement::skipped) {
      out += attribute("type", recording::to_text(result.judgement));
    }
    out += ">" + xml_escaped(details, false) + "</" + element + ">\n";
  }
  const std::string output = output_of(scenario);
  if (!output.empty()) {
    out += "      <system-out>" + xml_escaped(output, false) + "</system-out>\n";
  }
  out += "    </testcase>\n";
}

std::string properties_of(const ScenarioReport& scenario) {
  std::string out;
  const auto property = [&out](const char* name, std::string_view value) {
    if (value.empty()) return;
    out += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
  };
  property("seed", scenario.seed ? std::to_string(*scenario.seed) : "");
  property("case", scenario.case_id);
  property("protocol", scenario.protocol);
  property("target", scenario.target);
  if (scenario.sweep) {
    property("seeds",
             std::to_string(scenario.sweep->first) + ".." + std::to_string(scenario.sweep->last));
  }
  if (scenario.repetition) property("repetition", repetition_text(*scenario.repetition));
  return out.empty() ? out : "    <properties>\n" + out + "    </properties>\n";
}

/// Gives what it holds; the suite's own line needs it first.
Counts append_suite(std::string& out, const ScenarioReport& scenario, std::string_view started) {
  Counts counts;
  std::string cases;
  for (const StepReport& step : scenario.steps) {
    counts.add(step.judgement);
    append_case(cases, scenario, step.name, step.took,
                {step.judgement, step.why, step.expectations});
  }
  // The run itself: where it has no steps, and where more than its steps went wrong.
  counts.add(scenario.judgement);
  append_case(cases, scenario, scenario.name, scenario.took,
              {scenario.judgement, scenario.why, scenario.expectations});
  const std::string& name = scenario.file.empty() ? scenario.name : scenario.file;
  out += "  <testsuite" + attribute("name", scenario.suite.empty() ? name : scenario.suite) +
         counts.attributes() + attribute("time", seconds(scenario.took));
  if (!started.empty()) out += attribute("timestamp", started);
  out += ">\n" + properties_of(scenario) + cases + "  </testsuite>\n";
  return counts;
}

}  // namespace

std::string to_junit(const RunReport& report) {
  Counts counts;
  std::string suites;
  for (const ScenarioReport& scenario : report.scenarios) {
    counts.add(append_suite(suites, scenario, report.started));
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "squall") +
         counts.attributes() + attribute("time", seconds(tally(report).took)) + ">\n" + suites +
         "</testsuites>\n";
}

}  // namespace squall::report
