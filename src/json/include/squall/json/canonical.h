#pragma once

#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/json/value.h"

namespace squall::json {

/// The canonical text of `value`: RFC 8785, with numbers by their exact decimal value instead of
/// the nearest double (so 9007199254740993 stays itself). Members sorted by UTF-16 code units.
/// Fails on a duplicate name, on nesting deeper than 256, and on a number whose exponent has more
/// than 18 digits.
[[nodiscard]] Result<std::string> canonical(const Value& value);

/// The canonical text of a JSON number: `1.50` and `15e-1` are `1.5`.
[[nodiscard]] Result<std::string> canonical_number(std::string_view text);

}  // namespace squall::json
