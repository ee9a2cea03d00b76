#pragma once

#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// Decides about the calls of a file as if they arrived in its order, and prints what would strike.
[[nodiscard]] Exit plan(const PlanCommand& command, Console& console);

}  // namespace squall::cli
