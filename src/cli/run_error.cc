#include "run_error.h"

#include "squall/json/write.h"
#include "squall/report/write.h"

#include "case_paths.h"
#include "version.h"

namespace squall::cli {
namespace {

std::string as_json(std::string_view code, const std::string& message) {
  const json::Value error = json::Value::object({{"code", code}, {"message", message}});
  const json::Value document = json::Value::object({{"passed", false}, {"error", error}});
  return json::to_pretty_string(document) + "\n";
}

/// A suite named by the code, with one case that could not be carried out.
std::string as_junit(std::string_view code, const std::string& message) {
  report::ScenarioReport scenario;
  scenario.name = "execution";
  scenario.suite = code;
  scenario.judgement = report::Judgement::errored;
  scenario.why = message;
  report::RunReport report;
  report.tool = "squall " + std::string(kVersion);
  report.scenarios.push_back(std::move(scenario));
  return report::to_junit(report);
}

}  // namespace

Exit refuse_run(std::string_view code, const std::string& message,
                std::span<const std::string> reports, Console& console) {
  std::string format = "console";
  for (const std::string& each : reports) {
    const ReportWish wish = read_report_wish(each);
    if (wish.file.empty()) format = wish.format;
  }
  if (format == "json") {
    console.out(as_json(code, message));
  } else if (format == "junit") {
    console.out(as_junit(code, message));
  } else {
    console.err("squall: " + message + "\n");
  }
  return Exit::could_not;
}

}  // namespace squall::cli
