#pragma once

#include <string>

#include <CLI/App.hpp>

#include "squall/base/result.h"

#include "command.h"

/// @file The options of `squall proxy`.

namespace squall::cli {

/// `proxy` and `transport` are written to while the command line is read, and outlive that.
void add_proxy_options(CLI::App& command, ProxyCommand& proxy, std::string& transport);
/// Checks what the options must keep to together.
[[nodiscard]] Result<void> finish_proxy_options(const CLI::App& command, ProxyCommand& proxy,
                                                const std::string& transport);

}  // namespace squall::cli
