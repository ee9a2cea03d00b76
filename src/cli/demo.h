#pragma once

#include "squall/base/result.h"
#include "squall/cli/cli.h"

#include "command.h"
#include "demo_report.h"

namespace squall::cli {

/// `squall demo`
[[nodiscard]] Exit demo(const DemoCommand& command, Console& console);

/// Starts the built-in server on a free loopback port, and calls it over a socket.
[[nodiscard]] Result<DemoReport> run_demo();

}  // namespace squall::cli
