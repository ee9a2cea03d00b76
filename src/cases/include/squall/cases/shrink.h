#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file The fewest and mildest strikes for which something still fails.

namespace squall::cases {

/// Runs what is under test with a schedule; whether it failed. An error ends the search.
using Trial = std::function<Result<bool>(const json::Value& schedule)>;

struct ShrinkOptions {
  /// Runs of each candidate, for what fails by chance. A candidate still fails when it does at
  /// least half as often as the whole schedule did; runs that can't change that are spared.
  std::uint32_t repeat = 1;
  std::uint64_t runs_max = 1000;  ///< then the best so far is taken
  /// Told when something smaller was found to fail: "3 strikes of 17, 24 runs".
  std::function<void(const std::string&)> progress{};
};

struct Shrunk {
  json::Value schedule;
  bool failed_again = false;  ///< the whole schedule did; otherwise nothing else was tried
  std::uint64_t before = 0;   ///< strikes
  std::uint64_t after = 0;
  std::uint64_t runs = 0;
  std::uint32_t failures = 0;  ///< of `of` runs of the result
  std::uint32_t of = 0;
  bool cut_short = false;  ///< by `runs_max`
};

/// Takes strikes away (what is left needs each of them), then makes times, sizes and counts
/// smaller, then moves strikes to earlier attempts and calls. With every step, the failure stays.
[[nodiscard]] Result<Shrunk> shrink(const json::Value& schedule, const Trial& trial,
                                    const ShrinkOptions& options = {});

}  // namespace squall::cases
