#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/schema/schema.h"

namespace squall::schema {

/// The vocabularies of 2020-12 that change what a schema means.
enum class Vocabulary : std::uint8_t {
  core = 1,
  applicator = 2,
  unevaluated = 4,
  validation = 8,
  format_assertion = 16,
  annotation = 32,  ///< meta-data, content, format-annotation: known, and nothing to do
};

/// Which keywords a schema resource may use.
struct Dialect {
  Draft draft = Draft::draft_2020_12;
  std::uint8_t vocabularies = 0;

  [[nodiscard]] bool has(Vocabulary vocabulary) const noexcept {
    return (vocabularies & static_cast<std::uint8_t>(vocabulary)) != 0;
  }
  friend bool operator==(const Dialect&, const Dialect&) = default;
};

[[nodiscard]] Dialect standard_dialect(Draft draft) noexcept;

/// The dialect whose metaschema has this URI (but for an empty fragment), if it is a standard one.
[[nodiscard]] std::optional<Dialect> find_standard_dialect(std::string_view uri) noexcept;

/// The dialect a custom metaschema describes by its `$vocabulary`.
[[nodiscard]] Result<Dialect> read_dialect(const json::Value& metaschema);

/// How a keyword holds subschemas.
enum class Shape : std::uint8_t {
  none,
  schema,
  list,
  map,
  schema_or_list,
  map_of_schemas_or_lists,
};
[[nodiscard]] Shape shape_of(std::string_view keyword, Draft draft) noexcept;

}  // namespace squall::schema
