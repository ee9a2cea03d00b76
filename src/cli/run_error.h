#pragma once

#include <span>
#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/cli/cli.h"

namespace squall::cli {

/// Tells why nothing was run, in the way of the report that was asked for last on stdout: as JSON
/// or JUnit there, else as a line on stderr. Codes are `invalid_arguments`, `scenario_load_failed`,
/// `target_load_failed`, `scenario_execution_failed` and `report_failed`.
Exit refuse_run(std::string_view code, const std::string& message,
                std::span<const std::string> reports, Console& console);

}  // namespace squall::cli
