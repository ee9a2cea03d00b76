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

}  // namespace squall::cli
