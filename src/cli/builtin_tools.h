#pragma once

#include "squall/server/registry.h"

namespace squall::cli {

/// What the built-in server says of itself.
[[nodiscard]] server::Registry make_builtin_registry();

}  // namespace squall::cli
