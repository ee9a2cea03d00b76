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

/// One bit of 64, by length, first and last character: tells most names of one object apart. Names
/// that are the same have the same.
[[nodiscard]] inline std::uint64_t bin_of(std::string_view name) noexcept {
  if (name.empty()) return 1;
  const std::size_t first = static_cast<unsigned char>(name.front());
  const std::size_t last = static_cast<unsigned char>(name.back());
  const auto key = static_cast<std::uint32_t>(name.size() << 16U | first << 8U | last);
  return std::uint64_t{1} << (key * 0x9E3779B1U >> 26U);
}

/// The first member whose name an earlier member has. Never quadratic: many members are sorted, by
/// hash first, so names made to collide cost a sort of strings and no more. `scratch` is reused.
[[nodiscard]] std::optional<std::size_t> find_duplicate(std::span<const Member> members,
                                                        std::vector<NameEntry>& scratch);

/// What an error says about `name`, cut to what a message may hold of the input.
[[nodiscard]] std::string describe_duplicate(std::string_view name);

}  // namespace squall::json
