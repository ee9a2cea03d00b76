#pragma once

#include <memory>

#include "squall/lab/adapter.h"

namespace squall::lab {

/// The built-in server with its fault tools, in this process: over the HTTP codec on 2026-07-28
/// (and when the revision is left open), over a pair of channels on 2025-11-25. Every run begins
/// with a server of its own.
[[nodiscard]] std::unique_ptr<Target> make_builtin_target();

}  // namespace squall::lab
