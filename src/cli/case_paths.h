#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "squall/base/result.h"

namespace squall::cli {

/// The cases that `paths` name: each a case's own folder, or a folder that holds some.
[[nodiscard]] Result<std::vector<std::filesystem::path>> case_paths(
    std::span<const std::string> paths);

/// A report as asked for: "html=FILE", "console".
struct ReportWish {
  std::string format;
  std::string file;  ///< "": on stdout
};
/// "" or why `text` isn't one.
[[nodiscard]] std::string judge_report_wish(const std::string& text);
/// Of a text that has been judged.
[[nodiscard]] ReportWish read_report_wish(const std::string& text);
/// Adds a page in a file where one is to be opened and none is wished for, and the console's report
/// where nothing is.
void complete_wishes(std::vector<std::string>& reports, bool open);
/// The file of the first page among them, or "".
[[nodiscard]] std::string page_of(std::span<const std::string> reports);

}  // namespace squall::cli
