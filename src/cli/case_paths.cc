#include "case_paths.h"

#include <algorithm>
#include <array>

#include "squall/recording/case_list.h"

#include "text.h"

namespace squall::cli {

Result<std::vector<std::filesystem::path>> case_paths(std::span<const std::string> paths) {
  std::vector<std::filesystem::path> out;
  for (const std::string& text : paths) {
    std::filesystem::path path(text);
    if (!path.has_filename()) path = path.parent_path();  // "x.case/"
    if (path.extension() == ".case") {
      out.push_back(path);
      continue;
    }
    SQUALL_TRY(const auto folders, recording::list_cases(path));
    for (const recording::CaseFolder& folder : folders) out.push_back(folder.path);
  }
  if (out.empty()) return fail(ErrorKind::not_found, "no cases there");
  return out;
}

std::string judge_report_wish(const std::string& text) {
  static constexpr std::array<std::string_view, 5> kFormats = {"console", "json", "junit", "github",
                                                               "html"};
  const ReportWish wish = read_report_wish(text);
  if (std::ranges::find(kFormats, wish.format) == kFormats.end()) {
    return "must be console, json, junit, github or html, and =FILE behind it or not; not " +
           quote(text);
  }
  if (text.ends_with('=')) return "needs a file behind =";
  return {};
}

ReportWish read_report_wish(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, {}};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void complete_wishes(std::vector<std::string>& reports, bool open) {
  if (reports.empty()) reports.emplace_back("console");
  if (open && page_of(reports).empty()) reports.emplace_back("html=squall-report.html");
}

std::string page_of(std::span<const std::string> reports) {
  for (const std::string& each : reports) {
    ReportWish wish = read_report_wish(each);
    if (wish.format == "html" && !wish.file.empty()) return std::move(wish.file);
  }
  return {};
}

}  // namespace squall::cli
