#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"

namespace squall::json {

/// A member as the search for duplicates sorts it.
struct NameEntry {
  std::uint64_t hash;
  std::size_t index;
};

/// The first member whose name an earlier member has. Never quadratic: many members are sorted, by
/// hash first, so names made to collide cost a sort of strings and no more. `scratch` is reused.
[[nodiscard]] std::optional<std::size_t> find_duplicate(std::span<const Member> members,
                                                        std::vector<NameEntry>& scratch);

/// What an error says about `name`, cut to what a message may hold of the input.
[[nodiscard]] std::string describe_duplicate(std::string_view name);

}  // namespace squall::json
