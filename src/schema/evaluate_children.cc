#include <algorithm>
#include <string>

#include "evaluator.h"
#include "quote.h"

/// @file Evaluation of the keywords that apply schemas to members and elements.

namespace squall::schema {

bool Evaluator::allows(NodeId id, const json::Value& value, const Path* path, const Frame& at,
                       Op op) {
  if (id == kTrue) return true;
  if (program_.nodes[id].types != 0) return evaluate(id, value, path, nullptr);
  const std::string_view keyword = op == Op::object ? "additionalProperties" : keyword_of(op);
  return violate(at, path, keyword, [&] {
    return path->index == Path::kNoIndex ? "unknown property " + quote(path->name)
                                         : std::string("one item too many");
  });
}

bool Evaluator::check_object(const Instruction& at, const Frame& frame) {
  const ObjectPlan& plan = program_.objects[at.a];
  Marks seen(plan.required_count);
  bool valid = true;
  std::size_t hint = 0;
  const auto members = frame.value.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!spend()) return false;
    const std::size_t found = plan.names.find(members[i].name(), hint);
    const Property* property = nullptr;
    if (found != NameTable::npos) {
      property = &plan.properties[found];
      hint = found + 1;
      if (property->required != kNone) seen.set(property->required);
    }
    if (check_member(plan, i, property, frame)) continue;
    valid = false;
    if (!collecting()) return false;
  }
  return check_required(plan, seen, frame) && valid;
}

bool Evaluator::check_member(const ObjectPlan& plan, std::size_t number, const Property* property,
                             const Frame& frame) {
  const json::Member& member = frame.value.members()[number];
  const Path path{frame.path, member.name()};
  bool valid = true;
  bool known = false;
  if (property != nullptr && property->node != kNone) {
    known = true;
    valid = evaluate(property->node, member.value, &path, nullptr);
  }
  for (const PatternRule& rule : plan.patterns) {
    if (!spend(1 + member.name().size() / 64)) return false;
    const auto matches = program_.regexes[rule.regex].matches(member.name());
    if (!matches) return give_up();
    if (!*matches) continue;
    known = true;
    valid = evaluate(rule.node, member.value, &path, nullptr) && valid;
  }
  if (!known) valid = allows(plan.additional, member.value, &path, frame, Op::object);
  if (frame.marks != nullptr && (known || plan.marks_additional)) frame.marks->set(number);
  return valid;
}

bool Evaluator::check_required(const ObjectPlan& plan, const Marks& seen, const Frame& frame) {
  if (!spend(plan.required_count / 16)) return false;
  if (seen.first_unset() == plan.required_count) return true;
  for (std::size_t i = 0; i < plan.properties.size() && collecting(); ++i) {
    const std::uint32_t required = plan.properties[i].required;
    if (required == kNone || seen.test(required)) continue;
    violate(frame, "required", [&] { return "lacks the property " + quote(plan.names.name(i)); });
  }
  return false;
}

bool Evaluator::check_names(const Instruction& at, const Frame& frame) {
  bool valid = true;
  for (const json::Member& member : frame.value.members()) {
    const Path path{frame.path, member.name()};
    if (!spend()) return false;
    if (allows(at.a, member.key, &path, frame, Op::property_names)) continue;
    valid = false;
    if (!collecting()) return false;
  }
  return valid;
}

bool Evaluator::check_dependencies(const Instruction& at, const Frame& frame) {
  bool valid = true;
  const auto has = [&](std::string_view name) {
    return spend(1 + frame.value.size() / 16) && frame.value.contains(name);
  };
  for (std::uint32_t i = 0; i < at.b; ++i) {
    const Dependency& dependency = program_.dependencies[at.a + i];
    if (!has(dependency.name)) continue;
    for (const std::string& name : dependency.required) {
      if (has(name)) continue;
      valid = violate(frame, keyword_of(at.op), [&] {
        return "has " + quote(dependency.name) + " and so needs " + quote(name);
      });
      if (!collecting()) return false;
    }
    if (evaluate(dependency.node, frame.value, frame.path, frame.marks)) continue;
    valid = false;
    if (!collecting()) return false;
  }
  return valid && !limited_;
}

bool Evaluator::check_items(const Instruction& at, const Frame& frame) {
  const auto items = frame.value.items();
  const std::size_t end = at.c == kNone ? std::min<std::size_t>(at.b, items.size()) : items.size();
  bool valid = true;
  for (std::size_t i = 0; i < end; ++i) {
    if (!spend()) return false;
    const Path path{frame.path, {}, i};
    const NodeId node = i < at.b ? program_.lists[at.a + i] : at.c;
    if (frame.marks != nullptr) frame.marks->set(i);
    if (allows(node, items[i], &path, frame, Op::items)) continue;
    valid = false;
    if (!collecting()) return false;
  }
  return valid;
}

bool Evaluator::check_contains(const Instruction& at, const Frame& frame) {
  const auto items = frame.value.items();
  std::size_t matches = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!spend()) return false;
    const Path path{frame.path, {}, i};
    if (!holds(at.a, items[i], &path, nullptr)) continue;
    ++matches;
    if (frame.marks != nullptr) frame.marks->set(i);
    const bool decided = matches > at.c || (matches >= at.b && at.c == kNone);
    if (decided && frame.marks == nullptr) break;
  }
  if (matches < at.b) {
    return violate(frame, at.b == 1 ? "contains" : "minContains", [&] {
      return "must contain at least " + std::to_string(at.b) + " matching items, has " +
             std::to_string(matches);
    });
  }
  if (matches <= at.c) return true;
  return violate(frame, "maxContains", [&] {
    return "must contain at most " + std::to_string(at.c) + " matching items";
  });
}

bool Evaluator::check_unevaluated(const Instruction& at, const Frame& frame) {
  const auto items = frame.value.items();
  const auto members = frame.value.members();
  bool valid = true;
  if (!spend(frame.value.size() / 16)) return false;
  for (std::size_t i = 0; i < frame.value.size(); ++i) {
    if (frame.marks->test(i)) continue;
    if (!spend()) return false;
    frame.marks->set(i);
    const bool is_item = at.op == Op::unevaluated_items;
    const Path path = is_item ? Path{frame.path, {}, i} : Path{frame.path, members[i].name()};
    if (allows(at.a, is_item ? items[i] : members[i].value, &path, frame, at.op)) continue;
    valid = false;
    if (!collecting()) return false;
  }
  return valid;
}

}  // namespace squall::schema
