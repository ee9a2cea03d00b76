#include "program.h"

namespace squall::schema {

std::string pointer_to(const std::vector<Origin>& origins, std::uint32_t origin) {
  std::vector<const Origin*> chain;
  for (std::uint32_t at = origin; at != kNone; at = origins[at].parent) {
    chain.push_back(&origins[at]);
  }
  std::string pointer;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) pointer += (*it)->path;
  return pointer;
}

std::string_view keyword_of(Op op) noexcept {
  switch (op) {
    case Op::constant:
      return "const";
    case Op::enumeration:
      return "enum";
    case Op::minimum:
      return "minimum";
    case Op::maximum:
      return "maximum";
    case Op::exclusive_minimum:
      return "exclusiveMinimum";
    case Op::exclusive_maximum:
      return "exclusiveMaximum";
    case Op::multiple_of:
      return "multipleOf";
    case Op::min_length:
      return "minLength";
    case Op::max_length:
      return "maxLength";
    case Op::pattern:
      return "pattern";
    case Op::format:
      return "format";
    case Op::min_items:
      return "minItems";
    case Op::max_items:
      return "maxItems";
    case Op::unique_items:
      return "uniqueItems";
    case Op::min_properties:
      return "minProperties";
    case Op::max_properties:
      return "maxProperties";
    case Op::object:
      return "properties";
    case Op::items:
      return "items";
    case Op::contains:
      return "contains";
    case Op::property_names:
      return "propertyNames";
    case Op::dependent_required:
      return "dependentRequired";
    case Op::dependent_schemas:
      return "dependentSchemas";
    case Op::ref:
      return "$ref";
    case Op::dynamic_ref:
      return "$dynamicRef";
    case Op::all_of:
      return "allOf";
    case Op::any_of:
      return "anyOf";
    case Op::one_of:
      return "oneOf";
    case Op::negation:
      return "not";
    case Op::conditional:
      return "if";
    case Op::unevaluated_items:
      return "unevaluatedItems";
    case Op::unevaluated_properties:
      return "unevaluatedProperties";
  }
  return "";
}

}  // namespace squall::schema
