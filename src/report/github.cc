#include <string>

#include "squall/report/write.h"

#include "plain_text.h"

namespace squall::report {
namespace {

/// As workflow commands want it; in a property ':' and ',' too.
std::string command_escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void append_failed(std::string& out, const std::vector<Expectation>& expectations) {
  for (const Expectation& each : expectations) {
    if (each.held) continue;
    out += "\n" + one_line(each.name) + ": expected " + one_line(each.expected) + ", received " +
           one_line(each.received);
  }
}

}  // namespace

std::string to_github(const RunReport& report) {
  std::string out;
  for (const ScenarioReport& scenario : report.scenarios) {
    if (scenario.judgement == Judgement::passed || scenario.judgement == Judgement::skipped) {
      continue;
    }
    std::string message(recording::to_text(scenario.judgement));
    if (!scenario.why.empty()) message += ": " + one_line(scenario.why);
    for (const StepReport& step : scenario.steps) append_failed(message, step.expectations);
    append_failed(message, scenario.expectations);
    if (!scenario.repeat.empty()) message += "\nrepeat: " + one_line(scenario.repeat, 2000);
    out += scenario.judgement == Judgement::inconclusive ? "::warning" : "::error";
    out += " title=" + command_escaped(one_line(scenario.name), true);
    if (!scenario.file.empty()) out += ",file=" + command_escaped(one_line(scenario.file), true);
    out += "::" + command_escaped(message, false) + "\n";
  }
  return out;
}

}  // namespace squall::report
