#include "report_command.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include "squall/recording/case_list.h"
#include "squall/recording/case_reader.h"
#include "squall/report/write.h"

#include "case_paths.h"
#include "fail.h"
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

Result<std::string> text_of(const report::RunReport& report, std::string_view format,
                            bool colours) {
  if (format == "json") return report::to_json(report);
  if (format == "junit") return report::to_junit(report);
  if (format == "github") return report::to_github(report);
  if (format == "html") return report::to_html(report);
  return report::to_console(report, colours);
}

Result<void> write_file(const std::string& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return {};
  return fail(ErrorKind::unavailable, file + ": cannot write: " + std::strerror(errno));
}

Result<void> write_reports(const ReportCommand& command, Console& console) {
  SQUALL_TRY(const report::RunReport report, read_cases(command.paths));
  for (const std::string& each : command.reports) {
    const ReportWish wish = read_report_wish(each);
    const bool colours = wish.file.empty() && console.colours();
    SQUALL_TRY(const std::string text, text_of(report, wish.format, colours));
    if (wish.file.empty()) {
      console.out(text);
    } else {
      SQUALL_CHECK(write_file(wish.file, text));
    }
  }
  return {};
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
  return exit_of(write_reports(command, console), console);
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
