#include "evaluate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "squall/json/pointer.h"

#include "evaluator.h"

/// @file Evaluation of a node and the keywords that apply schemas in place.

namespace squall::schema {

Evaluation evaluate(const Program& program, const json::Value& instance,
                    std::vector<Violation>* violations) {
  return Evaluator(program, violations).run(instance);
}

Evaluation Evaluator::run(const json::Value& instance) {
  const bool valid = evaluate(program_.root, instance, nullptr, nullptr);
  const std::size_t steps = program_.limits.steps - steps_left_;
  if (limited_) return {Verdict::limit, steps};
  return {valid ? Verdict::valid : Verdict::invalid, steps};
}

bool Evaluator::evaluate(NodeId id, const json::Value& value, const Path* path, Marks* marks) {
  if (id == kTrue) return true;
  if (depth_ >= program_.limits.depth || !spend()) return give_up();
  ++depth_;
  const Node& node = program_.nodes[id];
  const bool valid = program_.has_dynamic_refs ? evaluate_scoped(node, value, path, marks)
                     : node.tracks             ? evaluate_tracking(node, value, path, marks)
                                               : evaluate_node({node, value, path, marks});
  --depth_;
  return valid;
}

bool Evaluator::evaluate_scoped(const Node& node, const json::Value& value, const Path* path,
                                Marks* marks) {
  const Scope* outer = scope_;
  const Scope inner{outer, node.resource};
  if (outer == nullptr || outer->resource != node.resource) scope_ = &inner;
  const bool valid = node.tracks ? evaluate_tracking(node, value, path, marks)
                                 : evaluate_node({node, value, path, marks});
  scope_ = outer;
  return valid;
}

// Siblings of the node see what it evaluated, but it does not see what they did.
bool Evaluator::evaluate_tracking(const Node& node, const json::Value& value, const Path* path,
                                  Marks* marks) {
  if (!value.is_array() && !value.is_object()) return evaluate_node({node, value, path, nullptr});
  if (!spend(value.size() / 64)) return false;
  Marks own(value.size());
  const bool valid = evaluate_node({node, value, path, &own});
  if (valid && marks != nullptr) marks->merge(own);
  return valid;
}

bool Evaluator::evaluate_node(const Frame& at) {
  bool valid = check_type(at);
  if (!valid && !collecting()) return false;
  const KindSet kind = kind_bit(at.value.kind());
  const Instruction* instruction = program_.instructions.data() + at.node.first;
  for (const Instruction* end = instruction + at.node.count; instruction != end; ++instruction) {
    if ((instruction->kinds & kind) == 0) continue;
    if (!spend()) return false;
    if (!execute(*instruction, at)) valid = false;
    if (!valid && !collecting()) return false;
  }
  return valid;
}

bool Evaluator::holds(NodeId id, const json::Value& value, const Path* path, Marks* marks) {
  const Quiet quiet(*this);
  return evaluate(id, value, path, marks);
}

// A schema that fails has evaluated nothing.
bool Evaluator::holds_tracking(NodeId id, const Frame& at) {
  if (at.marks == nullptr) return holds(id, at.value, at.path, nullptr);
  if (!spend(at.value.size() / 64)) return false;
  Marks own(at.value.size());
  if (!holds(id, at.value, at.path, &own)) return false;
  at.marks->merge(own);
  return true;
}

bool Evaluator::execute(const Instruction& at, const Frame& frame) {
  switch (at.op) {
    case Op::ref:
      return evaluate(at.a, frame.value, frame.path, frame.marks);
    case Op::dynamic_ref:
      return evaluate(dynamic_target(at), frame.value, frame.path, frame.marks);
    case Op::all_of:
      return check_all(at, frame);
    case Op::any_of:
      return check_any(at, frame);
    case Op::one_of:
      return check_one(at, frame);
    case Op::negation:
      if (!holds(at.a, frame.value, frame.path, nullptr)) return !limited_;
      return violate(frame, "not", [] { return "must not match the schema"; });
    case Op::conditional:
      return check_condition(at, frame);
    case Op::constant:
    case Op::enumeration:
      return check_value(at, frame);
    case Op::minimum:
    case Op::maximum:
    case Op::exclusive_minimum:
    case Op::exclusive_maximum:
      return check_number(at, frame);
    case Op::multiple_of:
      return check_multiple(at, frame);
    case Op::min_length:
    case Op::max_length:
      return check_length(at, frame);
    case Op::pattern:
      return check_pattern(at, frame);
    case Op::format:
      return check_format(at, frame);
    default:
      return execute_shape(at, frame);
  }
}

bool Evaluator::execute_shape(const Instruction& at, const Frame& frame) {
  switch (at.op) {
    case Op::unique_items:
      return check_unique(frame);
    case Op::object:
      return check_object(at, frame);
    case Op::items:
      return check_items(at, frame);
    case Op::contains:
      return check_contains(at, frame);
    case Op::property_names:
      return check_names(at, frame);
    case Op::dependent_required:
    case Op::dependent_schemas:
      return check_dependencies(at, frame);
    case Op::unevaluated_items:
    case Op::unevaluated_properties:
      return check_unevaluated(at, frame);
    default:
      return check_size(at, frame);
  }
}

bool Evaluator::check_all(const Instruction& at, const Frame& frame) {
  bool valid = true;
  for (std::uint32_t i = 0; i < at.b; ++i) {
    if (evaluate(program_.lists[at.a + i], frame.value, frame.path, frame.marks)) continue;
    valid = false;
    if (!collecting()) return false;
  }
  return valid;
}

bool Evaluator::check_any(const Instruction& at, const Frame& frame) {
  bool valid = false;
  for (std::uint32_t i = 0; i < at.b; ++i) {
    if (!holds_tracking(program_.lists[at.a + i], frame)) continue;
    valid = true;
    if (frame.marks == nullptr) break;  // else the others may evaluate more
  }
  if (valid) return true;
  return violate(frame, "anyOf",
                 [&] { return "matches none of the " + std::to_string(at.b) + " alternatives"; });
}

bool Evaluator::check_one(const Instruction& at, const Frame& frame) {
  std::size_t matches = 0;
  for (std::uint32_t i = 0; i < at.b && matches < 2; ++i) {
    if (holds_tracking(program_.lists[at.a + i], frame)) ++matches;
  }
  if (matches == 1) return true;
  return violate(frame, "oneOf", [&] {
    return matches == 0 ? "matches none of the " + std::to_string(at.b) + " alternatives"
                        : "matches more than one of the alternatives";
  });
}

bool Evaluator::check_condition(const Instruction& at, const Frame& frame) {
  if (at.b == kTrue && at.c == kTrue && frame.marks == nullptr) return true;
  const NodeId next = holds_tracking(at.a, frame) ? at.b : at.c;
  return evaluate(next, frame.value, frame.path, frame.marks);
}

// The outermost resource of the dynamic scope that has the anchor (2020-12 core, section 8.2.3.2).
NodeId Evaluator::dynamic_target(const Instruction& at) {
  NodeId target = at.a;
  const auto key = [](const DynamicAnchor& anchor) {
    return std::pair(anchor.anchor, anchor.resource);
  };
  for (const Scope* scope = scope_; scope != nullptr; scope = scope->outer) {
    if (!spend()) break;
    const auto found = std::ranges::lower_bound(program_.dynamic_anchors,
                                                std::pair(at.b, scope->resource), {}, key);
    if (found == program_.dynamic_anchors.end()) continue;
    if (key(*found) == std::pair(at.b, scope->resource)) target = found->node;
  }
  return target;
}

void Evaluator::report(const Frame& at, const Path* path, std::string_view keyword,
                       std::string message) {
  std::vector<const Path*> way;
  for (; path != nullptr; path = path->parent) way.push_back(path);
  Violation violation;
  for (auto step = way.rbegin(); step != way.rend(); ++step) {
    const std::size_t index = (*step)->index;
    json::append_pointer_token(violation.instance, index == Path::kNoIndex
                                                       ? std::string((*step)->name)
                                                       : std::to_string(index));
  }
  violation.schema = pointer_to(program_.origins, at.node.origin);
  if (keyword != "false schema") json::append_pointer_token(violation.schema, keyword);
  violation.keyword = keyword;
  violation.message = std::move(message);
  violations_->push_back(std::move(violation));
}

}  // namespace squall::schema
