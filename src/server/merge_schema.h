#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"

/// @file The one input schema that a tool with several actions shows.

namespace squall::server {

struct ActionSchema {
  std::string_view key;
  std::string_view name;  ///< for mistakes
  const json::Value* input;
};

struct MergedSchema {
  json::Value schema;
  std::vector<std::string> clashes;  ///< parameters that can't be one
};

/// Puts the parameters of `actions` side by side behind `discriminator`. Each says for which
/// actions it is and for which it must be there; only what every action requires is required.
/// Enums add up; keywords that differ are left to the action's own schema.
[[nodiscard]] MergedSchema merge_schemas(std::string_view discriminator,
                                         const std::vector<ActionSchema>& actions);

/// The schema that holds for the calls of one action: `input`, with nothing beside what it names
/// unless `open`, and with `discriminator` (when not "") saying `key`.
[[nodiscard]] json::Value strict_schema(const json::Value& input, bool open,
                                        std::string_view discriminator, std::string_view key);

}  // namespace squall::server
