#pragma once

#include <string>

#include <CLI/App.hpp>

#include "squall/base/result.h"

#include "command.h"

/// @file The options of `squall proxy`.

namespace squall::cli {

/// `proxy` is written to while the command line is read, and outlives that.
void add_proxy_options(CLI::App& command, ProxyCommand& proxy);
/// Checks what the options must keep to together.
[[nodiscard]] Result<void> finish_proxy_options(const ProxyCommand& proxy);

}  // namespace squall::cli
