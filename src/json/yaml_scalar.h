#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "squall/json/value.h"

namespace squall::json {

/// A plain scalar by the YAML 1.2 core schema (10.3.2), or why it has no JSON value.
[[nodiscard]] std::expected<Value, std::string> resolve_plain(std::string_view text);

/// A scalar under an explicit core tag ("int" of "tag:yaml.org,2002:int"), or why that fails.
[[nodiscard]] std::expected<Value, std::string> resolve_tagged(std::string_view tag,
                                                               std::string_view text);

}  // namespace squall::json
