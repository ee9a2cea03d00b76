#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/schema.h"

#include "ecma_regex.h"
#include "name_table.h"

/// @file What a schema compiles to: flat tables that refer to each other by index.

namespace squall::schema {

using NodeId = std::uint32_t;
/// The schema that everything satisfies; evaluating it costs nothing.
inline constexpr NodeId kTrue = 0;
inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// One bit a json::Kind. In `Node::types`, the bit behind them allows whole numbers only.
using KindSet = std::uint8_t;
[[nodiscard]] constexpr KindSet kind_bit(json::Kind kind) noexcept {
  return static_cast<KindSet>(1U << static_cast<unsigned>(kind));
}
inline constexpr KindSet kNumbers = kind_bit(json::Kind::number);
inline constexpr KindSet kStrings = kind_bit(json::Kind::string);
inline constexpr KindSet kArrays = kind_bit(json::Kind::array);
inline constexpr KindSet kObjects = kind_bit(json::Kind::object);
inline constexpr KindSet kAllKinds = 0x3f;
inline constexpr KindSet kIntegerBit = 0x40;

enum class Op : std::uint8_t {
  constant,
  enumeration,
  minimum,
  maximum,
  exclusive_minimum,
  exclusive_maximum,
  multiple_of,
  min_length,
  max_length,
  pattern,
  format,
  min_items,
  max_items,
  unique_items,
  min_properties,
  max_properties,
  object,
  items,
  contains,
  property_names,
  dependent_required,
  dependent_schemas,
  ref,
  dynamic_ref,
  all_of,
  any_of,
  one_of,
  negation,
  conditional,
  unevaluated_items,
  unevaluated_properties,
};

/// What `a`, `b` and `c` mean depends on `op`; compile.cc writes them, evaluate*.cc reads them.
struct Instruction {
  Op op = Op::ref;
  KindSet kinds = kAllKinds;  ///< the kinds of instance it has something to say about
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

/// One subschema: instructions in the order of their cost, `unevaluated*` last.
struct Node {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t resource = 0;
  std::uint32_t origin = 0;
  KindSet types = kAllKinds;  ///< 0: the schema `false`
  bool tracks = false;        ///< has unevaluated*, so needs to know what its keywords evaluated
};

/// A number of the schema, and itself as an integer when it is a small one.
struct Number {
  std::string text;
  std::optional<std::int64_t> small;
};

struct Property {
  NodeId node = kNone;             ///< kNone: named by `required` only
  std::uint32_t required = kNone;  ///< its place among the required ones
};

struct PatternRule {
  std::uint32_t regex = 0;
  NodeId node = kTrue;
};

/// `properties`, `patternProperties`, `additionalProperties` and `required`, in one pass.
struct ObjectPlan {
  NameTable names;
  std::vector<Property> properties;  ///< parallel to `names`
  std::vector<PatternRule> patterns;
  std::uint32_t required_count = 0;
  NodeId additional = kTrue;
  bool marks_additional = false;  ///< `additionalProperties` is there, so it evaluates the rest
};

/// The values of `enum` or `const`; many ones are found by their hash.
struct Enumeration {
  std::vector<json::Value> values;
  std::vector<std::size_t> weights;                             ///< steps a comparison costs
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes;  ///< sorted; empty for few values
};

struct Dependency {
  std::string name;
  std::vector<std::string> required;
  NodeId node = kTrue;
};

/// Where a subschema stands: `path` below `parent`, or below nothing.
struct Origin {
  std::uint32_t parent = kNone;
  std::string path;
};

/// The JSON pointer to a subschema, behind "URI#" when it is in another document.
[[nodiscard]] std::string pointer_to(const std::vector<Origin>& origins, std::uint32_t origin);

/// Which node the resource has under a `$dynamicAnchor`; sorted by anchor, then resource.
struct DynamicAnchor {
  std::uint32_t anchor = 0;
  std::uint32_t resource = 0;
  NodeId node = kTrue;
};

struct Program {
  std::vector<Node> nodes;
  std::vector<Instruction> instructions;
  std::vector<NodeId> lists;
  std::vector<Number> numbers;
  std::vector<ObjectPlan> objects;
  std::vector<Enumeration> enumerations;
  std::vector<Dependency> dependencies;
  std::vector<Regex> regexes;
  std::vector<DynamicAnchor> dynamic_anchors;
  std::vector<Origin> origins;
  NodeId root = kTrue;
  bool has_dynamic_refs = false;
  Limits limits;
};

/// The spelling of the keyword an instruction came from.
[[nodiscard]] std::string_view keyword_of(Op op) noexcept;

}  // namespace squall::schema
