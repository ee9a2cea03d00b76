#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace squall::schema {

/// What stands in `\p{...}` of ECMA-262 (`L`, `Letter`, `General_Category=Letter`, `Script=Greek`,
/// `scx=Grek`, `Alphabetic`) in PCRE2's spelling; nothing when ECMA-262 has no such property.
[[nodiscard]] std::optional<std::string> translate_property(std::string_view name);

}  // namespace squall::schema
