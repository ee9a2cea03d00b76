#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "squall/json/value.h"

namespace squall::schema {

/// The hash of a value, the same for equal values (1 and 1.0, members in any order), and the steps
/// it took: about one a value and one per 64 bytes.
struct Hashed {
  std::uint64_t hash = 0;
  std::size_t steps = 0;
};

/// Stops early, with more than `steps_max` steps, when the value is larger or deeper than that.
[[nodiscard]] Hashed hash_value(const json::Value& value, std::size_t steps_max);

/// Whether two of `items` are equal.
struct Uniqueness {
  bool unique = true;
  std::size_t first = 0;  ///< of two equal ones
  std::size_t second = 0;
  std::size_t steps = 0;
};

/// Takes n log n comparisons; values with equal hashes are compared, which costs their steps.
/// Allocates for more than 32 items only. Nothing when it would take more than `steps_max` steps.
[[nodiscard]] std::optional<Uniqueness> find_duplicate(std::span<const json::Value> items,
                                                       std::size_t steps_max);

}  // namespace squall::schema
