#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/schema/schema.h"

namespace squall::server {

/// The members that a schema declares, at every depth; what else an object has can be stripped.
///
/// A member is declared by `properties` or `patternProperties` of any schema that may hold where
/// its object stands (behind `$ref`, `allOf`, `anyOf`, `oneOf`, `then`, `else` too). Others stay
/// only where a schema gives `additionalProperties` that isn't false, or where no schema says
/// anything about members.
class Shape {
 public:
  /// Refuses references that lead out of the document, and schemas of unreasonable size.
  [[nodiscard]] static Result<Shape> compile(const json::Value& schema);
  /// Removes what isn't declared. What lies too deep to be looked at is removed.
  void strip(json::Value& value) const;
  /// The members of the root that are declared by name, in order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  friend class ShapeCompiler;
  static constexpr std::int32_t kFree = -1;  ///< anything may stand there
  struct Node {
    std::vector<std::pair<std::string, std::int32_t>> members;  ///< sorted by name
    std::vector<std::pair<schema::Schema, std::int32_t>> patterns;
    std::vector<std::int32_t> prefix;
    std::int32_t items = kFree;
    std::int32_t others = kFree;  ///< of members that aren't named
    bool keeps_others = false;
    bool says_nothing = true;  ///< about members
  };
  void strip(json::Value& value, std::int32_t node, std::size_t depth) const;
  void strip_members(json::Value& value, const Node& node, std::size_t depth) const;
  /// Whether the member is declared; if so, what is in it is stripped.
  bool strip_member(json::Member& member, const Node& node, std::size_t depth) const;
  std::shared_ptr<const std::vector<Node>> nodes_;  // shared by copies; the first is the root
};

}  // namespace squall::server
