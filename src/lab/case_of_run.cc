#include "case_of_run.h"

#include <utility>

namespace squall::lab {

namespace {

void redact_findings(std::vector<Finding>& findings, const recording::Redactor& redactor) {
  for (Finding& finding : findings) {
    redactor.redact(finding.expected);
    redactor.redact(finding.received);
    redactor.redact(finding.text);
  }
}

}  // namespace

recording::Header header_of(const Scenario& scenario, const Target& target, Protocol protocol,
                            const CaseOptions& options, const FaultSetup* faults) {
  recording::Header header;
  header.tool = options.tool;
  header.scheme = options.scheme;
  header.started = options.started;
  header.platform = options.platform;
  header.scenario = scenario.source;
  header.protocol = protocol == Protocol::automatic ? "" : std::string(to_text(protocol));
  header.target = target.to_json();
  header.name = scenario.name;
  header.scenario_file = scenario.file;
  if (faults != nullptr) {
    header.seed = faults->seed.value;
    header.seed_source = faults->seed_from;
    if (faults->schedule.is_null()) {
      header.profile = fault::to_json(faults->profile);
    } else {
      header.schedule = faults->schedule;
    }
    header.counters = faults->counters;
    header.scope = "run";
  }
  return header;
}

Result<std::unique_ptr<recording::CaseWriter>> open_case(
    const Scenario& scenario, const Target& target, Protocol protocol, const CaseOptions& options,
    const std::string& repeat, std::shared_ptr<const recording::Redactor> redactor,
    const FaultSetup* faults) {
  recording::Header header = header_of(scenario, target, protocol, options, faults);
  header.repeat = repeat;
  return recording::CaseWriter::create(options.folder, std::move(header), std::move(redactor));
}

void redact(RunResult& result, const recording::Redactor& redactor) {
  if (redactor.empty()) return;
  redactor.redact(result.why);
  redact_findings(result.findings, redactor);
  for (StepResult& step : result.steps) {
    redactor.redact(step.label);
    redactor.redact(step.why);
    redactor.redact(step.attempt.message);
    redactor.redact(step.attempt.data);
    if (step.attempt.value) redactor.redact(*step.attempt.value);
    redact_findings(step.findings, redactor);
  }
  for (Operation& operation : result.operations) redactor.redact(operation.message);
}

}  // namespace squall::lab
