#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"

namespace squall::server {

/// What is left of a list in a value that was cut.
struct Trimmed {
  std::size_t kept = 0;
  std::size_t all = 0;
};

/// Cuts the longest list of `value` (the value itself, or a member of it) so that its JSON has at
/// most `bytes` bytes. Nothing, and no change, when there is no list or even none of it fits.
[[nodiscard]] std::optional<Trimmed> trim_list(json::Value& value, std::size_t bytes);

/// The beginning of `text` of at most `bytes` bytes: to the end of a line when one is in its second
/// half, and never within a code point.
[[nodiscard]] std::string_view trim_text(std::string_view text, std::size_t bytes);

}  // namespace squall::server
