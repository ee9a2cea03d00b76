#include <array>
#include <utility>

#include "compiler.h"

/// @file The keywords of a schema that apply other schemas.

namespace squall::schema {
namespace {

// Gathers the names of a plan in the order of `properties`, then of `required`.
class PlanNames {
 public:
  explicit PlanNames(ObjectPlan& plan) : plan_(plan) {}

  Property& operator[](std::string_view name) {
    const auto [at, added] = numbers_.try_emplace(std::string(name), names_.size());
    if (added) {
      names_.emplace_back(name);
      plan_.properties.emplace_back();
    }
    return plan_.properties[at->second];
  }
  void finish() { plan_.names = NameTable(std::move(names_)); }

 private:
  ObjectPlan& plan_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

}  // namespace

Result<void> Compiler::objects(Current& at) {
  ObjectPlan plan;
  SQUALL_CHECK(properties(at, plan));
  const bool says_something =
      plan.names.size() != 0 || !plan.patterns.empty() || plan.marks_additional;
  if (says_something) {
    at.emit(Op::object, kObjects, static_cast<std::uint32_t>(program_.objects.size()));
    program_.objects.push_back(std::move(plan));
  }
  if (at.has(Vocabulary::applicator)) {
    if (const json::Value* names = at.schema.find("propertyNames")) {
      SQUALL_TRY(const NodeId node, child(*names));
      at.emit(Op::property_names, kObjects, node);
    }
  }
  return dependencies(at);
}

Result<void> Compiler::properties(Current& at, ObjectPlan& plan) {
  PlanNames names(plan);
  if (at.has(Vocabulary::applicator)) {
    if (const json::Value* properties = at.schema.find("properties")) {
      for (const json::Member& member : properties->members()) {
        SQUALL_TRY(const NodeId node, child(member.value));
        names[member.name()].node = node;
      }
    }
    if (const json::Value* patterns = at.schema.find("patternProperties")) {
      for (const json::Member& member : patterns->members()) {
        SQUALL_TRY(const std::uint32_t regex, add_regex(member.name()));
        SQUALL_TRY(const NodeId node, child(member.value));
        plan.patterns.push_back({regex, node});
      }
    }
    if (const json::Value* additional = at.schema.find("additionalProperties")) {
      SQUALL_TRY(plan.additional, child(*additional));
      plan.marks_additional = true;
    }
  }
  const json::Value* required = at.schema.find("required");
  if (required != nullptr && at.has(Vocabulary::validation)) {
    for (const json::Value& name : required->items()) {
      if (!name.is_string()) return wrong("required");
      Property& property = names[name.string()];
      if (property.required == kNone) property.required = plan.required_count++;
    }
  }
  names.finish();
  return {};
}

Result<void> Compiler::dependencies(Current& at) {
  constexpr std::array<std::pair<std::string_view, Op>, 3> kKeywords = {{
      {"dependentRequired", Op::dependent_required},
      {"dependentSchemas", Op::dependent_schemas},
      {"dependencies", Op::dependent_schemas},
  }};
  for (const auto& [keyword, op] : kKeywords) {
    if (at.is_07() != (keyword == "dependencies")) continue;
    const bool asserts = op == Op::dependent_required;
    if (!at.has(asserts ? Vocabulary::validation : Vocabulary::applicator)) continue;
    const json::Value* members = at.schema.find(keyword);
    if (members == nullptr) continue;
    const auto first = static_cast<std::uint32_t>(program_.dependencies.size());
    for (const json::Member& member : members->members()) {
      SQUALL_CHECK(add_dependency(member.name(), member.value));
    }
    at.emit(op, kObjects, first, static_cast<std::uint32_t>(program_.dependencies.size()) - first);
  }
  return {};
}

Result<void> Compiler::add_dependency(std::string_view name, const json::Value& value) {
  Dependency dependency;
  dependency.name = name;
  if (value.is_array()) {
    for (const json::Value& item : value.items()) dependency.required.emplace_back(item.string());
  } else {
    SQUALL_TRY(dependency.node, child(value));
  }
  program_.dependencies.push_back(std::move(dependency));
  return {};
}

Result<std::uint32_t> Compiler::add_list(const json::Value& schemas, std::string_view keyword) {
  if (!schemas.is_array()) return wrong(keyword);
  const auto first = static_cast<std::uint32_t>(program_.lists.size());
  for (const json::Value& schema : schemas.items()) {
    SQUALL_TRY(const NodeId node, child(schema));
    program_.lists.push_back(node);
  }
  return first;
}

// 2020-12's prefixItems and items are draft-07's items (as a list) and additionalItems.
Result<void> Compiler::arrays(Current& at) {
  const json::Value* items = at.schema.find("items");
  const json::Value* prefix = at.schema.find("prefixItems");
  if (at.is_07()) {
    prefix = items != nullptr && items->is_array() ? items : nullptr;
    if (prefix != nullptr) items = at.schema.find("additionalItems");
  }
  if (prefix != nullptr || items != nullptr) {
    NodeId rest = kNone;
    std::uint32_t first = 0;
    if (prefix != nullptr) {
      SQUALL_TRY(first, add_list(*prefix, "prefixItems"));
    }
    if (items != nullptr) {
      SQUALL_TRY(rest, child(*items));
    }
    const std::size_t size = prefix == nullptr ? 0 : prefix->size();
    at.emit(Op::items, kArrays, first, static_cast<std::uint32_t>(size), rest);
  }
  return contains(at);
}

Result<void> Compiler::contains(Current& at) {
  const json::Value* contains = at.schema.find("contains");
  if (contains == nullptr) return {};
  SQUALL_TRY(const NodeId node, child(*contains));
  std::uint32_t least = 1;
  std::uint32_t most = kNone;
  if (!at.is_07() && at.has(Vocabulary::validation)) {
    if (const json::Value* min = at.schema.find("minContains")) {
      SQUALL_TRY(least, count(*min, "minContains"));
    }
    if (const json::Value* max = at.schema.find("maxContains")) {
      SQUALL_TRY(most, count(*max, "maxContains"));
    }
  }
  at.emit(Op::contains, kArrays, node, least, most);
  return {};
}

Result<void> Compiler::in_place(Current& at) {
  constexpr std::array<std::pair<std::string_view, Op>, 3> kLists = {{
      {"allOf", Op::all_of},
      {"anyOf", Op::any_of},
      {"oneOf", Op::one_of},
  }};
  for (const auto& [keyword, op] : kLists) {
    const json::Value* schemas = at.schema.find(keyword);
    if (schemas == nullptr) continue;
    SQUALL_TRY(const std::uint32_t first, add_list(*schemas, keyword));
    at.emit(op, kAllKinds, first, static_cast<std::uint32_t>(schemas->size()));
  }
  if (const json::Value* negated = at.schema.find("not")) {
    SQUALL_TRY(const NodeId node, child(*negated));
    at.emit(Op::negation, kAllKinds, node);
  }
  const json::Value* condition = at.schema.find("if");
  if (condition == nullptr) return {};
  SQUALL_TRY(const NodeId test, child(*condition));
  NodeId consequence = kTrue;
  NodeId alternative = kTrue;
  if (const json::Value* then = at.schema.find("then")) {
    SQUALL_TRY(consequence, child(*then));
  }
  if (const json::Value* other = at.schema.find("else")) {
    SQUALL_TRY(alternative, child(*other));
  }
  at.emit(Op::conditional, kAllKinds, test, consequence, alternative);
  return {};
}

Result<void> Compiler::unevaluated(Current& at) {
  constexpr std::array<std::pair<std::string_view, Op>, 2> kKeywords = {{
      {"unevaluatedItems", Op::unevaluated_items},
      {"unevaluatedProperties", Op::unevaluated_properties},
  }};
  for (const auto& [keyword, op] : kKeywords) {
    const json::Value* schema = at.schema.find(keyword);
    if (schema == nullptr) continue;
    SQUALL_TRY(const NodeId node, child(*schema));
    at.emit(op, op == Op::unevaluated_items ? kArrays : kObjects, node);
    at.tracks = true;
  }
  return {};
}

}  // namespace squall::schema
