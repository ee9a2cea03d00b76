#include "demo_report.h"

#include <algorithm>
#include <chrono>

#include "squall/json/write.h"
#include "squall/mcp/revision.h"

#include "trace.h"
#include "version.h"

namespace squall::cli {
namespace {

/// Puts text between an escape sequence and its end, where colours are wanted.
struct Paint {
  bool colours;
  [[nodiscard]] std::string operator()(std::string_view code, std::string_view text) const {
    if (!colours) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
};
constexpr std::string_view kBold = "1", kFaint = "2", kRed = "31", kGreen = "32";

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) out.append(width - out.size(), ' ');
  return out;
}

void append_steps(std::string& out, const std::vector<DemoStep>& steps, const Paint& paint) {
  std::size_t what_width = 0;
  std::size_t answer_width = 0;
  for (const DemoStep& step : steps) {
    what_width = std::max(what_width, step.what.size());
    answer_width = std::max(answer_width, step.answer.size());
  }
  for (const DemoStep& step : steps) {
    out += "  " + padded(step.what, what_width) + "  " + padded(step.answer, answer_width) + "  " +
           paint(kFaint, milliseconds_text(step.duration)) + "\n";
  }
}

double milliseconds(runtime::Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

std::string_view to_text(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::success:
      return "success";
    case Outcome::tool_error:
      return "tool_error";
    case Outcome::timeout:
      return "timeout";
    case Outcome::error:
      break;
  }
  return "error";
}

bool DemoReport::passed() const {
  return std::all_of(assertions.begin(), assertions.end(),
                     [](const DemoAssertion& assertion) { return assertion.holds; });
}

std::string demo_text(const DemoReport& report, bool colours) {
  const Paint paint{colours};
  const bool passed = report.passed();
  const std::string_view verdict = passed ? "passed" : "failed";
  const std::string_view verdict_colour = passed ? kGreen : kRed;

  std::string out = paint(kBold, "Squall " + std::string(kVersion) + " demo") + "\n";
  out += "A server at " + report.endpoint + " and a client of MCP " +
         std::string(mcp::to_text(mcp::kLatestModern)) + ", over a real socket.\n\n";
  append_steps(out, report.steps, paint);
  out += "\nScenario: " + std::string(kDemoScenario) + "\n";
  out += "Outcome: " + std::string(to_text(report.outcome)) + "\n";
  if (!report.error.empty()) out += "Error: " + report.error + "\n";
  out += "Duration: " + milliseconds_text(report.duration) + "\n";
  out += "Assertions: " + paint(verdict_colour, verdict) + "\n";
  for (const DemoAssertion& assertion : report.assertions) {
    const std::string mark = assertion.holds ? paint(kGreen, "holds") : paint(kRed, "fails");
    out += "  " + mark + "  " + assertion.text + "\n";
  }
  out += passed ? "\nThe server did what it promised. Try your own client: squall serve --help\n"
                : "\nThe server did not do what it promised.\n";
  return out;
}

std::string demo_json(const DemoReport& report) {
  using json::Value;
  Value failures = Value::array();
  for (const DemoAssertion& assertion : report.assertions) {
    if (!assertion.holds) failures.push_back(assertion.text);
  }
  Value steps = Value::array();
  for (const DemoStep& step : report.steps) {
    steps.push_back(
        Value::object({{"request", step.what}, {"durationMs", milliseconds(step.duration)}}));
  }
  Value out = Value::object({{"name", kDemoScenario},
                             {"outcome", to_text(report.outcome)},
                             {"durationMs", milliseconds(report.duration)},
                             {"passed", report.passed()},
                             {"failures", std::move(failures)}});
  if (!report.result.is_null()) out.set("result", report.result);
  if (!report.error.empty()) out.set("error", report.error);
  out.set("protocolVersion", mcp::to_text(mcp::kLatestModern));
  out.set("endpoint", report.endpoint);
  out.set("steps", std::move(steps));
  return json::to_pretty_string(out) + "\n";
}

}  // namespace squall::cli
