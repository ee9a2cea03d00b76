#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace squall::json {

struct Position {
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in code points
};

/// A place asked for: the value behind a JSON pointer, or the key it is a member's value of.
struct Place {
  std::string pointer;
  bool of_key = false;
};

/// Where each place is in a well-formed JSON or YAML text; nothing for what can't be found. Takes
/// time in proportion to the text, times the places.
[[nodiscard]] std::vector<std::optional<Position>> find_positions(std::string_view text,
                                                                  const std::vector<Place>& places);

}  // namespace squall::json
