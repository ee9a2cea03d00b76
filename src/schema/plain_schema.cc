#include "plain_schema.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/json/number.h"

namespace squall::schema {
namespace {

constexpr std::size_t kDepthMax = 32;
constexpr std::size_t kSubschemasMax = 1'000;
constexpr std::size_t kNamesMax = 64;  // compared in pairs

enum class Wants : std::uint8_t {
  anything,
  schema,
  schemas,     // a list of at least one
  schema_map,  // an object of them
  boolean,
  string,
  array,
  number,
  positive,  // a number above 0
  count,     // an integer from 0 on
  names,     // different strings
  types,     // the name of a type, or several
};

struct Keyword {
  std::string_view name;
  Wants wants;
};

// $id, $anchor, $vocabulary and the like are missing on purpose, as is all that is rare.
constexpr std::array kKeywords = {
    Keyword{"$comment", Wants::string},
    Keyword{"$defs", Wants::schema_map},
    Keyword{"$ref", Wants::string},
    Keyword{"$schema", Wants::string},
    Keyword{"additionalProperties", Wants::schema},
    Keyword{"allOf", Wants::schemas},
    Keyword{"anyOf", Wants::schemas},
    Keyword{"const", Wants::anything},
    Keyword{"contains", Wants::schema},
    Keyword{"default", Wants::anything},
    Keyword{"description", Wants::string},
    Keyword{"else", Wants::schema},
    Keyword{"enum", Wants::array},
    Keyword{"examples", Wants::array},
    Keyword{"exclusiveMaximum", Wants::number},
    Keyword{"exclusiveMinimum", Wants::number},
    Keyword{"format", Wants::string},
    Keyword{"if", Wants::schema},
    Keyword{"items", Wants::schema},
    Keyword{"maxItems", Wants::count},
    Keyword{"maxLength", Wants::count},
    Keyword{"maxProperties", Wants::count},
    Keyword{"maximum", Wants::number},
    Keyword{"minItems", Wants::count},
    Keyword{"minLength", Wants::count},
    Keyword{"minProperties", Wants::count},
    Keyword{"minimum", Wants::number},
    Keyword{"multipleOf", Wants::positive},
    Keyword{"not", Wants::schema},
    Keyword{"oneOf", Wants::schemas},
    Keyword{"pattern", Wants::string},
    Keyword{"patternProperties", Wants::schema_map},
    Keyword{"prefixItems", Wants::schemas},
    Keyword{"properties", Wants::schema_map},
    Keyword{"propertyNames", Wants::schema},
    Keyword{"required", Wants::names},
    Keyword{"then", Wants::schema},
    Keyword{"title", Wants::string},
    Keyword{"type", Wants::types},
    Keyword{"uniqueItems", Wants::boolean},
};
static_assert(std::ranges::is_sorted(kKeywords, {}, &Keyword::name));

constexpr std::array<std::string_view, 7> kTypes = {"array",  "boolean", "integer", "null",
                                                    "number", "object",  "string"};

bool is_type(const json::Value& value) {
  return value.is_string() && std::ranges::find(kTypes, value.string()) != kTypes.end();
}

bool are_different_strings(const json::Value& value) {
  const std::span<const json::Value> items = value.items();
  if (!value.is_array() || items.size() > kNamesMax) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_string()) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (items[i].string() == items[j].string()) return false;
    }
  }
  return true;
}

bool are_types(const json::Value& value) {
  if (!value.is_array()) return is_type(value);
  return value.size() != 0 && are_different_strings(value) &&
         std::ranges::all_of(value.items(), is_type);
}

class Check {
 public:
  bool run(const json::Value& root) {
    open_.emplace_back(&root, 0);
    while (!open_.empty()) {
      const auto [schema, depth] = open_.back();
      open_.pop_back();
      if (++seen_ > kSubschemasMax || depth > kDepthMax) return false;
      if (schema->is_bool()) continue;
      if (!schema->is_object()) return false;
      for (const json::Member& member : schema->members()) {
        if (!fits(member, depth)) return false;
      }
    }
    return true;
  }

 private:
  bool fits(const json::Member& member, std::size_t depth) {
    const auto keyword = std::ranges::lower_bound(kKeywords, member.name(), {}, &Keyword::name);
    if (keyword == kKeywords.end() || keyword->name != member.name()) return false;
    const json::Value& value = member.value;
    switch (keyword->wants) {
      case Wants::anything:
        return true;
      case Wants::schema:
        open_.emplace_back(&value, depth + 1);
        return true;
      case Wants::schemas:
        for (const json::Value& item : value.items()) open_.emplace_back(&item, depth + 1);
        return value.is_array() && value.size() != 0;
      case Wants::schema_map:
        for (const json::Member& entry : value.members()) {
          open_.emplace_back(&entry.value, depth + 1);
        }
        return value.is_object();
      case Wants::boolean:
        return value.is_bool();
      case Wants::string:
        return value.is_string();
      case Wants::array:
        return value.is_array();
      case Wants::number:
        return value.is_number();
      case Wants::positive:
        return value.is_number() && json::compare_numbers(value.number_text(), "0") > 0;
      case Wants::count:
        return value.is_integer() && json::compare_numbers(value.number_text(), "0") >= 0;
      case Wants::names:
        return are_different_strings(value);
      case Wants::types:
        return are_types(value);
    }
    return false;
  }

  std::vector<std::pair<const json::Value*, std::size_t>> open_;
  std::size_t seen_ = 0;
};

}  // namespace

bool is_plain_schema(const json::Value& schema) { return Check().run(schema); }

}  // namespace squall::schema
