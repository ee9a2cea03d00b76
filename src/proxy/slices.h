#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// @file Single values in a JSON text replaced, every other byte left as it is.

namespace squall::proxy {

/// Where a value stands in a text.
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Slice&, const Slice&) = default;
};

/// Names of members from the outermost object on; "*" stands for every element of an array.
using Path = std::initializer_list<std::string_view>;

/// Where the values are that `path` leads to, in order. A name that stands twice in an object leads
/// to both: nobody knows which one a reader takes. Of a text that is no JSON, what was found before
/// that showed, or nothing.
[[nodiscard]] std::vector<Slice> slices_at(std::string_view text, Path path);

/// `text` with each of the slices replaced by `value`.
[[nodiscard]] std::string replaced(std::string_view text, const std::vector<Slice>& slices,
                                   std::string_view value);
/// Both in one. Text without such a value comes back as it is.
[[nodiscard]] std::string with_value(std::string text, Path path, std::string_view value);

/// `text` without the members that `path` leads to.
[[nodiscard]] std::string without_members(std::string text, Path path);

}  // namespace squall::proxy
