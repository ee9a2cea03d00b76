#pragma once

#include "squall/server/registry.h"

namespace squall::cli {

/// What the built-in server says of itself.
[[nodiscard]] server::Registry make_builtin_registry();
/// Adds the tools of the built-in server: ping, delay, hang.
void add_builtin_tools(server::Registry& registry);

}  // namespace squall::cli
