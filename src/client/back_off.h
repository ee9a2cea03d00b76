#pragma once

#include <cstdint>
#include <optional>

#include "squall/client/options.h"
#include "squall/runtime/loop.h"

namespace squall::client {

/// The pause before another attempt, the `attempt`th having failed: doubling, with jitter, and at
/// least what the server asked for (within reason).
[[nodiscard]] runtime::Duration back_off(const Options& options, unsigned attempt,
                                         std::optional<std::int64_t> asked_ms);

}  // namespace squall::client
