#pragma once

#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// `squall report`: makes reports of recorded cases.
[[nodiscard]] Exit report(const ReportCommand& command, Console& console);

/// `squall case list|show|prune`
[[nodiscard]] Exit manage_cases(const CaseCommand& command, Console& console);

}  // namespace squall::cli
