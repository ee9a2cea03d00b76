#pragma once

#include <cstdint>
#include <string_view>

#include "squall/base/result.h"

/// @file Which runs of a suite are wanted: their seeds, and a machine's share of them.

namespace squall::lab {

/// Seeds in a row.
struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t count = 1;
  [[nodiscard]] std::uint64_t last() const noexcept { return first + (count - 1); }
  friend bool operator==(const SeedRange&, const SeedRange&) = default;
};
inline constexpr std::uint64_t kSweptSeedsMax = 100'000'000;
/// "A..B", both ends included; each end is read as every seed is.
[[nodiscard]] Result<SeedRange> read_seed_range(std::string_view text);

/// One machine's share of a run: every `of`-th piece of work, from the `number`-th on.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;
  [[nodiscard]] bool has(std::uint64_t piece) const noexcept { return piece % of == number - 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};
/// "I/N", with I from 1 to N.
[[nodiscard]] Result<Shard> read_shard(std::string_view text);

}  // namespace squall::lab
