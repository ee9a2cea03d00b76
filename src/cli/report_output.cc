#include "report_output.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "squall/report/write.h"

#include "case_paths.h"

namespace squall::cli {
namespace {

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

}  // namespace

Result<void> write_reports(const report::RunReport& report, std::span<const std::string> wishes,
                           Console& console) {
  for (const std::string& each : wishes) {
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

}  // namespace squall::cli
