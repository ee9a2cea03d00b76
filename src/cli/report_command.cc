#include "report_command.h"

#include <memory>
#include <utility>

#include "squall/recording/case_list.h"
#include "squall/recording/case_reader.h"
#include "squall/report/write.h"

#include "case_paths.h"
#include "fail.h"
#include "open_page.h"
#include "report_output.h"
#include "run_error.h"
#include "version.h"

namespace squall::cli {
namespace {

Result<report::RunReport> read_cases(std::span<const std::string> paths) {
  SQUALL_TRY(const auto cases, case_paths(paths));
  report::RunReport out;
  out.tool = "squall " + std::string(kVersion);
  for (const auto& path : cases) {
    SQUALL_TRY(recording::Case record, recording::read_case(path));
    if (out.started.empty() || record.header.started < out.started) {
      out.started = record.header.started;
    }
    out.scenarios.push_back(
        report::from_case(std::make_shared<const recording::Case>(std::move(record))));
  }
  return out;
}

Result<void> write_reports_of(const ReportCommand& command, Console& console) {
  SQUALL_TRY(const report::RunReport report, read_cases(command.paths));
  SQUALL_CHECK(write_reports(report, command.reports, console));
  return command.open ? open_page(page_of(command.reports), console) : Result<void>();
}

std::string size_text(std::uint64_t bytes) {
  return std::to_string((bytes + 1023) / 1024) + " KiB";
}

Result<void> list(const CaseCommand& command, Console& console) {
  SQUALL_TRY(const auto folders, recording::list_cases(command.path));
  for (const recording::CaseFolder& folder : folders) {
    const std::string about = folder.trouble.empty() ? folder.started : "unreadable";
    console.out(folder.path.string() + "  " + about + "  " + size_text(folder.bytes) + "\n");
  }
  return {};
}

Result<void> show(const CaseCommand& command, Console& console) {
  const std::string paths[] = {command.path};
  SQUALL_TRY(const report::RunReport report, read_cases(paths));
  console.out(report::to_console(report, console.colours()));
  return {};
}

Result<void> prune(const CaseCommand& command, Console& console) {
  SQUALL_TRY(auto folders, recording::list_cases(command.path));
  recording::PruneRule rule;
  rule.keep = command.keep;
  for (const auto& folder : recording::pick_to_prune(std::move(folders), rule)) {
    SQUALL_CHECK(recording::remove_case(folder.path));
    console.out("removed " + folder.path.string() + "\n");
  }
  return {};
}

Exit exit_of(const Result<void>& done, Console& console) {
  return done ? Exit::passed : complain(console, done.error());
}

}  // namespace

Exit report(const ReportCommand& command, Console& console) {
  const auto written = write_reports_of(command, console);
  if (written) return Exit::passed;
  return refuse_run("report_failed", written.error().message, command.reports, console);
}

Exit manage_cases(const CaseCommand& command, Console& console) {
  switch (command.action) {
    case CaseAction::list:
      return exit_of(list(command, console), console);
    case CaseAction::show:
      return exit_of(show(command, console), console);
    case CaseAction::prune:
      break;
  }
  return exit_of(prune(command, console), console);
}

}  // namespace squall::cli
