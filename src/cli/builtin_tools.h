#pragma once

#include <chrono>
#include <string>

#include "squall/server/registry.h"

namespace squall::cli {

/// What the built-in server says of itself.
[[nodiscard]] server::Registry make_builtin_registry();
/// Adds the tools of the built-in server: ping, delay, hang.
void add_builtin_tools(server::Registry& registry);

/// "2026-11-30T13:01:23.125Z"
[[nodiscard]] std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace squall::cli
