#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "squall/json/value.h"

/// @file What is said about one member of a described struct beyond its type.

namespace squall::schema {

/// Keywords to add to a member's schema. Constraints of one member add up.
struct Constraint {
  std::string keyword;
  json::Value value;
  bool optional = false;  ///< the member may be absent, and then keeps the struct's own value
};

/// An ECMAScript regular expression that the text must contain a match of.
[[nodiscard]] inline Constraint pattern(std::string_view regex) { return {"pattern", regex}; }
[[nodiscard]] inline Constraint min_length(std::uint64_t n) { return {"minLength", n}; }
[[nodiscard]] inline Constraint max_length(std::uint64_t n) { return {"maxLength", n}; }
template <typename N>
[[nodiscard]] Constraint min(N least) {
  return {"minimum", json::Value(least)};
}
template <typename N>
[[nodiscard]] Constraint max(N most) {
  return {"maximum", json::Value(most)};
}
[[nodiscard]] inline Constraint min_items(std::uint64_t n) { return {"minItems", n}; }
[[nodiscard]] inline Constraint max_items(std::uint64_t n) { return {"maxItems", n}; }
[[nodiscard]] inline Constraint unique_items() { return {"uniqueItems", true}; }
[[nodiscard]] inline Constraint one_of(std::initializer_list<json::Value> values) {
  return {"enum", json::Value::array(values)};
}
/// "email", "uri", "date-time" ...: tells clients; see `known_formats()`.
[[nodiscard]] inline Constraint format(std::string_view name) { return {"format", name}; }
[[nodiscard]] inline Constraint describe(std::string_view text) { return {"description", text}; }
[[nodiscard]] inline Constraint example(json::Value value) {
  return {"examples", json::Value::array({std::move(value)})};
}
/// The value is a secret: no error message and no log repeats it.
[[nodiscard]] inline Constraint secret() { return {"writeOnly", true}; }
/// Clients of 2026-07-28 repeat the value in the HTTP header `Mcp-Param-NAME`.
[[nodiscard]] inline Constraint header(std::string_view name) { return {"x-mcp-header", name}; }
/// The member may be absent, and then has the value that the struct gives it, which becomes the
/// schema's `default`.
[[nodiscard]] inline Constraint optional() { return {"default", {}, true}; }

}  // namespace squall::schema
