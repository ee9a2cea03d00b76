#pragma once

#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// `squall profile list|show|check|fmt|import`
[[nodiscard]] Exit profile(const ProfileCommand& command, Console& console);

}  // namespace squall::cli
