#pragma once

#include <span>
#include <string>

#include "squall/base/result.h"
#include "squall/cli/cli.h"
#include "squall/report/run_report.h"

namespace squall::cli {

/// Makes each report that is wished for ("json", "html=FILE"), on stdout or in its file.
[[nodiscard]] Result<void> write_reports(const report::RunReport& report,
                                         std::span<const std::string> wishes, Console& console);

}  // namespace squall::cli
