#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file `x-mcp-header`: arguments mirrored into `Mcp-Param-*` request headers (2026-07-28).

namespace squall::mcp {

/// A header value as it goes on the wire: the text itself when every character may stand there and
/// it can't be taken for the encoded form, else `=?base64?...?=`.
[[nodiscard]] std::string encode_header_value(std::string_view text);
/// The text behind a header value; nothing when it is in the encoded form and badly so.
[[nodiscard]] std::optional<std::string> decode_header_value(std::string_view value);

/// One annotated argument: where it stands in the arguments, and the header that mirrors it.
struct ParamHeader {
  std::vector<std::string> path;  ///< property names from the root of the arguments
  std::string header;             ///< "Mcp-Param-Region"
  std::string type;               ///< "string", "integer" or "boolean"
};

/// The annotated arguments of an input schema. Fails, naming the property, when an annotation is
/// not a non-empty token, names a header twice in any case, or stands where it may not: on a
/// property that isn't exactly string, integer or boolean, or that isn't reached through
/// `properties` alone.
[[nodiscard]] Result<std::vector<ParamHeader>> param_headers(const json::Value& input_schema);

/// The value that `arguments` hold for `parameter`, or null when absent (or null).
[[nodiscard]] const json::Value* argument_of(const json::Value& arguments,
                                             const ParamHeader& parameter) noexcept;

/// Whether the decoded text of the header says the same as the argument; integers are compared by
/// value.
[[nodiscard]] bool header_matches(const json::Value& argument, std::string_view decoded) noexcept;

}  // namespace squall::mcp
