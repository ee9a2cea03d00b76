#pragma once

#include <string_view>

#include "squall/json/value.h"

namespace squall::schema {

inline constexpr std::string_view kMetaschema07 = "http://json-schema.org/draft-07/schema";
inline constexpr std::string_view kMetaschema2020 = "https://json-schema.org/draft/2020-12/schema";

/// The embedded document (metaschema or vocabulary of either draft) with that URI, or null.
/// The URI has no fragment. Documents live as long as the process.
[[nodiscard]] const json::Value* find_metaschema(std::string_view uri);

}  // namespace squall::schema
