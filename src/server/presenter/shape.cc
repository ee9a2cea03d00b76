#include "shape.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "squall/json/pointer.h"

namespace squall::server {

namespace {
constexpr std::size_t kNodesMax = 10'000;
constexpr std::size_t kTogetherMax = 256;  // schemas that hold for one place
constexpr std::size_t kDepthMax = 256;
}  // namespace

/// Makes a node of each set of schemas that hold for one place; sets that were met before are the
/// same node, so that recursive schemas come to an end.
class ShapeCompiler {
 public:
  explicit ShapeCompiler(const json::Value& root) : root_(root) {}

  Result<Shape> run() {
    node_of({&root_});
    while (!todo_.empty() && problem_.empty()) {
      const auto [together, node] = std::move(todo_.back());
      todo_.pop_back();
      fill(together, static_cast<std::size_t>(node));
    }
    if (!problem_.empty()) return fail(ErrorKind::invalid, problem_);
    Shape out;
    out.nodes_ = std::make_shared<const std::vector<Shape::Node>>(std::move(nodes_));
    return out;
  }

 private:
  using Schemas = std::vector<const json::Value*>;

  void follow(const json::Value& schema, Schemas& out) {
    if (const auto reference = schema.find_string("$ref")) {
      const auto pointer = reference->starts_with('#') ? json::Pointer::parse(reference->substr(1))
                                                       : Result<json::Pointer>(json::Pointer());
      const json::Value* target =
          reference->starts_with('#') && pointer ? pointer->find(root_) : nullptr;
      if (target == nullptr) {
        problem_ = "cannot follow $ref " + std::string(*reference);
      } else {
        out.push_back(target);
      }
    }
    for (const std::string_view word : {"allOf", "anyOf", "oneOf"}) {
      const json::Value* branches = schema.find(word);
      if (branches == nullptr) continue;
      for (const json::Value& branch : branches->items()) out.push_back(&branch);
    }
    for (const std::string_view word : {"if", "then", "else"}) {
      if (const json::Value* branch = schema.find(word)) out.push_back(branch);
    }
  }

  /// All schemas that hold, or may hold, where these do.
  Schemas closure(Schemas schemas) {
    for (std::size_t i = 0; i < schemas.size() && problem_.empty(); ++i) {
      Schemas more;
      follow(*schemas[i], more);
      for (const json::Value* one : more) {
        if (std::find(schemas.begin(), schemas.end(), one) == schemas.end()) {
          schemas.push_back(one);
        }
      }
      if (schemas.size() > kTogetherMax) problem_ = "too many schemas hold for one place";
    }
    std::sort(schemas.begin(), schemas.end());
    return schemas;
  }

  std::int32_t node_of(Schemas schemas) {
    schemas = closure(std::move(schemas));
    const auto known = known_.find(schemas);
    if (known != known_.end()) return known->second;
    if (nodes_.size() >= kNodesMax) problem_ = "the schema is too large";
    const auto node = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    known_.emplace(schemas, node);
    todo_.emplace_back(std::move(schemas), node);
    return node;
  }

  void fill(const Schemas& schemas, std::size_t at) {
    Shape::Node node;
    std::map<std::string, Schemas> members;
    Schemas others;
    Schemas items;
    std::vector<Schemas> prefix;
    for (const json::Value* schema : schemas) {
      gather_members(*schema, node, members, others);
      if (const json::Value* item = schema->find("items")) {
        if (item->is_array()) {
          gather_prefix(*item, prefix);  // draft-07's way
        } else {
          items.push_back(item);
        }
      }
      if (const json::Value* first = schema->find("prefixItems")) gather_prefix(*first, prefix);
      if (const json::Value* more = schema->find("additionalItems")) items.push_back(more);
    }
    for (auto& [name, inner] : members) node.members.emplace_back(name, node_of(std::move(inner)));
    if (!others.empty()) node.others = node_of(std::move(others));
    if (!items.empty()) node.items = node_of(std::move(items));
    for (Schemas& inner : prefix) node.prefix.push_back(node_of(std::move(inner)));
    nodes_[at] = std::move(node);
  }

  static void gather_prefix(const json::Value& schemas, std::vector<Schemas>& prefix) {
    if (prefix.size() < schemas.size()) prefix.resize(schemas.size());
    std::size_t index = 0;
    for (const json::Value& one : schemas.items()) prefix[index++].push_back(&one);
  }

  void gather_members(const json::Value& schema, Shape::Node& node,
                      std::map<std::string, Schemas>& members, Schemas& others) {
    if (const json::Value* properties = schema.find("properties")) {
      node.says_nothing = false;
      for (const json::Member& member : properties->members()) {
        members[std::string(member.name())].push_back(&member.value);
      }
    }
    if (const json::Value* patterns = schema.find("patternProperties")) {
      node.says_nothing = false;
      for (const json::Member& member : patterns->members()) {
        auto pattern = schema::Schema::compile(json::Value::object({{"pattern", member.name()}}));
        if (!pattern) {
          problem_ = pattern.error().message;
          return;
        }
        node.patterns.emplace_back(std::move(*pattern), node_of({&member.value}));
      }
    }
    if (const json::Value* additional = schema.find("additionalProperties")) {
      node.says_nothing = false;
      if (additional->is_bool() && !additional->boolean()) return;
      node.keeps_others = true;
      if (additional->is_object()) others.push_back(additional);
    }
  }

  const json::Value& root_;
  std::vector<Shape::Node> nodes_;
  std::map<Schemas, std::int32_t> known_;
  std::vector<std::pair<Schemas, std::int32_t>> todo_;
  std::string problem_;
};

Result<Shape> Shape::compile(const json::Value& schema) { return ShapeCompiler(schema).run(); }

std::vector<std::string> Shape::names() const {
  std::vector<std::string> out;
  for (const auto& [name, node] : nodes_->front().members) out.push_back(name);
  return out;
}

void Shape::strip(json::Value& value) const { strip(value, 0, 0); }

void Shape::strip(json::Value& value, std::int32_t node, std::size_t depth) const {
  if (node == kFree) return;
  if (depth > kDepthMax) {
    value = nullptr;
    return;
  }
  const Node& shape = (*nodes_)[static_cast<std::size_t>(node)];
  if (value.is_object() && !shape.says_nothing) return strip_members(value, shape, depth);
  std::size_t index = 0;
  for (json::Value& item : value.items()) {
    const bool named = index < shape.prefix.size();
    strip(item, named ? shape.prefix[index] : shape.items, depth + 1);
    ++index;
  }
}

bool Shape::strip_member(json::Member& member, const Node& node, std::size_t depth) const {
  bool declared = false;
  const auto found =
      std::lower_bound(node.members.begin(), node.members.end(), member.name(),
                       [](const auto& one, std::string_view name) { return one.first < name; });
  if (found != node.members.end() && found->first == member.name()) {
    strip(member.value, found->second, depth + 1);
    declared = true;
  }
  for (const auto& [pattern, inner] : node.patterns) {
    if (pattern.validate(member.key) != schema::Verdict::valid) continue;
    strip(member.value, inner, depth + 1);
    declared = true;
  }
  if (declared || !node.keeps_others) return declared;
  strip(member.value, node.others, depth + 1);
  return true;
}

void Shape::strip_members(json::Value& value, const Node& node, std::size_t depth) const {
  const std::span<json::Member> members = value.members();
  std::size_t kept = 0;
  for (json::Member& member : members) {
    if (!strip_member(member, node, depth)) continue;
    if (json::Member& to = members[kept++]; &to != &member) to = std::move(member);
  }
  if (kept == members.size()) return;
  std::vector<json::Member> declared;
  declared.reserve(kept);
  for (json::Member& member : members.first(kept)) declared.push_back(std::move(member));
  value = json::Value::from_members(std::move(declared));
}

}  // namespace squall::server
