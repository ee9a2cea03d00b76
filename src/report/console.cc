#include <algorithm>
#include <string>

#include "squall/report/write.h"

#include "plain_text.h"

namespace squall::report {
namespace {

constexpr std::size_t kSeedsShown = 20;  // of those that fail alike
constexpr std::size_t kNamesMax = 48;    // wider names push their duration to the right

struct Painter {
  bool colours;
  [[nodiscard]] std::string paint(const char* code, const std::string& text) const {
    return colours ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
  }
  [[nodiscard]] std::string faint(const std::string& text) const { return paint("2", text); }
};

const char* colour_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::passed:
      return "32";
    case Judgement::failed:
    case Judgement::errored:
      return "1;31";
    case Judgement::inconclusive:
      return "33";
    case Judgement::skipped:
      return "2";
  }
  return "0";
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

void append_failed(std::string& out, const std::vector<Expectation>& expectations,
                   const std::string& where, const Painter& painter) {
  for (const Expectation& each : expectations) {
    if (each.held) continue;
    out += "    " + (where.empty() ? "" : where + ": ") + one_line(each.name) + "\n";
    out += "      expected  " + painter.paint("32", one_line(each.expected)) + "\n";
    out += "      received  " + painter.paint("31", one_line(each.received)) + "\n";
  }
}

void append_sweep(std::string& out, const SweepReport& sweep, const Painter& painter) {
  out += "    " + painter.faint("seeds     ") + std::to_string(sweep.first) + ".." +
         std::to_string(sweep.last) + ": " + std::to_string(sweep.runs) + " runs\n";
  for (const SweepReport::Group& group : sweep.groups) {
    const std::string word(recording::to_text(group.judgement));
    out += "    " + painter.paint(colour_of(group.judgement), padded(word, 8)) + "  " +
           std::to_string(group.runs) + (group.runs == 1 ? " run: " : " runs: ") +
           one_line(group.what) + "\n";
    out += "      " + painter.faint("seeds   ");
    const std::size_t shown = std::min(group.seeds.size(), kSeedsShown);
    for (std::size_t i = 0; i < shown; ++i) {
      out += (i == 0 ? "" : ", ") + std::to_string(group.seeds[i]);
    }
    out += group.seeds.size() > shown ? ", ...\n" : "\n";
    if (!group.case_id.empty()) {
      out += "      " + painter.faint("case    ") + one_line(group.case_id) + "\n";
    }
  }
  if (sweep.others > 0) {
    out += "    " + std::to_string(sweep.others) + " more did not pass, in other ways\n";
  }
}

void append_scenario(std::string& out, const ScenarioReport& scenario, std::size_t width,
                     const Painter& painter) {
  const std::string word(recording::to_text(scenario.judgement));
  out += painter.paint(colour_of(scenario.judgement), padded(word, 12)) + "  " +
         padded(one_line(scenario.name), width) + "  " +
         painter.faint(duration_text(scenario.took)) + "\n";
  if (scenario.repetition) {
    out += "    " + painter.faint("repeated  ") + repetition_text(*scenario.repetition) + "\n";
  }
  if (scenario.sweep) append_sweep(out, *scenario.sweep, painter);
  if (scenario.judgement == Judgement::passed) return;
  if (!scenario.why.empty()) out += "    " + one_line(scenario.why) + "\n";
  std::size_t number = 0;
  for (const StepReport& step : scenario.steps) {
    const std::string where = "step " + std::to_string(++number) + ", " + one_line(step.name);
    if (!step.why.empty()) out += "    " + where + ": " + one_line(step.why) + "\n";
    append_failed(out, step.expectations, where, painter);
  }
  append_failed(out, scenario.expectations, "", painter);
  if (!scenario.case_id.empty())
    out += "    " + painter.faint("case      ") + one_line(scenario.case_id) + "\n";
  if (!scenario.repeat.empty()) {
    out += "    " + painter.faint("repeat    ") + one_line(scenario.repeat, 2000) + "\n";
  }
}

}  // namespace

std::string to_console(const RunReport& report, bool colours) {
  const Painter painter{colours};
  std::size_t width = 0;
  for (const ScenarioReport& scenario : report.scenarios) {
    width = std::max(width, std::min(one_line(scenario.name).size(), kNamesMax));
  }
  std::string out;
  for (const ScenarioReport& scenario : report.scenarios) {
    append_scenario(out, scenario, width, painter);
  }
  const Tally total = tally(report);
  std::string summary;
  for (std::size_t i = 0; i < total.counts.size(); ++i) {
    if (total.counts[i] == 0) continue;
    const auto judgement = static_cast<Judgement>(i);
    summary += summary.empty() ? "" : ", ";
    summary += painter.paint(colour_of(judgement), std::to_string(total.counts[i]) + " " +
                                                       std::string(recording::to_text(judgement)));
  }
  if (summary.empty()) summary = "nothing was run";
  return out + "\n" + summary + " in " + duration_text(total.took) + "\n";
}

}  // namespace squall::report
