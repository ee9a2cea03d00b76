#pragma once

#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// Prints the catalogue of kinds, by layer, or one kind with its settings and an example.
[[nodiscard]] Exit faults(const FaultsCommand& command, Console& console);

}  // namespace squall::cli
