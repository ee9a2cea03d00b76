#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/result.h"

/// @file Times and sizes as people write them in options and files: "250ms", "1.5s", "64kib".

namespace squall::base {

/// A number and `ms`, `s` or `m` directly behind it. The number is digits without leading zeros,
/// with a point and 1 to 9 digits or without; the time must be a whole number of nanoseconds below
/// 2^63. A bare number is refused, since nobody can tell what it counts.
[[nodiscard]] Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// The same for bytes: `b`, `kb` and `mb` (by 1,000), `kib` and `mib` (by 1,024).
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace squall::base

namespace squall {
inline namespace literals {

/// Sizes in code: `64_KiB`.
consteval std::size_t operator""_KiB(unsigned long long count) { return count << 10; }
consteval std::size_t operator""_MiB(unsigned long long count) { return count << 20; }

}  // namespace literals
}  // namespace squall
