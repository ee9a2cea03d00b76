#include "squall/report/run_report.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace squall::report {
namespace {

std::string target_text(const json::Value& target) {
  if (target.is_null() || target.find_string("adapter") == "builtin") return "built-in";
  const json::Value* const inner = target.find("target");
  const json::Value& about = inner != nullptr ? *inner : target;
  if (const auto url = about.find_string("url")) return std::string(*url);
  std::string out(about.find_string("command").value_or(""));
  if (const json::Value* const words = about.find("args")) {
    for (const json::Value& word : words->items()) out.append(" ").append(word.string());
  }
  return out.empty() ? "external" : out;
}

StepReport step_of(const recording::Verdict& verdict) {
  return {.name = verdict.name,
          .judgement = verdict.judgement,
          .outcome = verdict.outcome,
          .why = verdict.why,
          .took = verdict.took,
          .expectations = verdict.expectations};
}

}  // namespace

bool Tally::passed() const {
  return of(Judgement::passed) > 0 && of(Judgement::failed) == 0 &&
         of(Judgement::inconclusive) == 0 && of(Judgement::errored) == 0;
}

Tally tally(const RunReport& report) {
  Tally out;
  for (const ScenarioReport& scenario : report.scenarios) {
    ++out.counts[static_cast<std::size_t>(scenario.judgement)];
    out.took += scenario.took;
  }
  return out;
}

ScenarioReport from_case(std::shared_ptr<const recording::Case> record) {
  const recording::Header& header = record->header;
  ScenarioReport out;
  out.name = header.name.empty() ? record->run_id : header.name;
  out.file = header.scenario_file;
  out.judgement = Judgement::inconclusive;
  out.why = "the case holds no verdict";
  out.protocol = header.protocol;
  out.target = target_text(header.target);
  out.seed = header.seed;
  out.case_id = record->run_id;
  out.run_hash = record->run_hash;
  out.repeat = header.repeat;
  out.ended_early = record->ended_early;
  for (const recording::Event& event : record->events) {
    out.took = event.at;
    const auto* const verdict = std::get_if<recording::Verdict>(&event.body);
    if (verdict == nullptr) continue;
    if (verdict->step != 0) {
      out.steps.push_back(step_of(*verdict));
      continue;
    }
    out.judgement = verdict->judgement;
    out.outcome = verdict->outcome;
    out.why = verdict->why;
    out.expectations = verdict->expectations;
  }
  if (!out.ended_early.empty()) {
    if (out.judgement == Judgement::passed) out.judgement = Judgement::inconclusive;
    if (out.why.empty() || out.judgement == Judgement::inconclusive) out.why = out.ended_early;
  }
  out.record = std::move(record);
  return out;
}

std::string repetition_text(const Repetition& repetition) {
  char text[160];
  std::snprintf(text, sizeof text, "%zu of %zu runs did not pass: %.1f%% (95%%: %.1f%% to %.1f%%)",
                repetition.not_passed, repetition.runs, 100 * repetition.rate,
                100 * repetition.low, 100 * repetition.high);
  return text;
}

std::string duration_text(std::chrono::nanoseconds duration) {
  double value = static_cast<double>(duration.count());
  const char* unit = "ns";
  for (const auto& [next, size] : {std::pair("us", 1000.0), {"ms", 1000.0}, {"s", 1000.0}}) {
    if (value < 999.5) break;
    value /= size;
    unit = next;
  }
  const int decimals = unit[0] == 'n' || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, value, unit);
  return text;
}

}  // namespace squall::report
