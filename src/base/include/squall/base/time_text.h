#pragma once

#include <chrono>
#include <string>

namespace squall::base {

/// "2026-01-01T00:00:00.000Z": UTC, to the millisecond, rounded down.
[[nodiscard]] std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace squall::base
