#pragma once

#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/report/run_report.h"

/// @file The reports, as texts. All depend on the model alone: equal models, equal bytes.

namespace squall::report {

/// For a terminal: a line a scenario, each failed expectation with what was expected and received,
/// the command that repeats it, and a summary. Control characters of others are shown, not obeyed.
[[nodiscard]] std::string to_console(const RunReport& report, bool colours);

/// One JSON document; docs/formats/report.md, docs/formats/report.schema.json.
[[nodiscard]] std::string to_json(const RunReport& report);
/// The JSON Schema of that document.
[[nodiscard]] std::string_view json_schema();

/// JUnit XML as Jenkins, GitLab and GitHub read it: a suite a scenario, a case a step.
[[nodiscard]] std::string to_junit(const RunReport& report);

/// A line of workflow command for each scenario that didn't pass: GitHub shows it at its file.
[[nodiscard]] std::string to_github(const RunReport& report);

/// One HTML file that needs nothing else: timelines of what was on the wire included, as far as
/// the scenarios have cases. Payloads beyond 16 KiB are cut, and say so.
[[nodiscard]] Result<std::string> to_html(const RunReport& report);

}  // namespace squall::report
