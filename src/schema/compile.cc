#include "compile.h"

#include <algorithm>
#include <array>
#include <utility>

#include "squall/base/assert.h"

#include "compiler.h"
#include "evaluate.h"
#include "metaschemas.h"
#include "plain_schema.h"
#include "quote.h"

namespace squall::schema {
namespace {

std::shared_ptr<const Program> compile_metaschema(std::string_view uri) {
  CompileOptions options;
  options.limits.depth = kDepthMax;
  auto program = compile_program(*find_metaschema(uri), options, Documents::Check::no);
  SQUALL_ASSERT(program.has_value());
  return *std::move(program);
}

const Program& standard_metaschema(Draft draft) {
  static const std::shared_ptr<const Program> draft_07 = compile_metaschema(kMetaschema07);
  static const std::shared_ptr<const Program> draft_2020 = compile_metaschema(kMetaschema2020);
  return draft == Draft::draft_07 ? *draft_07 : *draft_2020;
}

Result<void> check(const Program& metaschema, const json::Value& schema) {
  const Evaluation quick = evaluate(metaschema, schema, nullptr);
  if (quick.verdict == Verdict::valid) return {};
  if (quick.verdict == Verdict::limit) {
    return fail(ErrorKind::limit, "the schema is too large or deep to be checked");
  }
  std::vector<Violation> violations;
  (void)evaluate(metaschema, schema, &violations);
  if (violations.empty()) return fail(ErrorKind::invalid, "not a schema");
  const Violation& first = violations.front();
  return fail(ErrorKind::invalid,
              "not a schema: at " + quote(first.instance) + " " + first.message);
}

}  // namespace

Result<std::shared_ptr<const Program>> compile_program(const json::Value& schema,
                                                       const CompileOptions& options,
                                                       Documents::Check check) {
  return Compiler(options).run(schema, check);
}

Result<void> check_against_metaschema(const json::Value& schema, const Resource& resource,
                                      const CompileOptions& options) {
  if (resource.custom_metaschema == nullptr) {
    if (resource.dialect.draft == Draft::draft_2020_12 && is_plain_schema(schema)) return {};
    return check(standard_metaschema(resource.dialect.draft), schema);
  }
  // No metaschema of a metaschema of a metaschema: with checks inside, this could go in circles.
  SQUALL_CHECK(check(standard_metaschema(resource.dialect.draft), *resource.custom_metaschema));
  CompileOptions inner = options;
  inner.base_uri = resource.root->find_string("$schema").value_or("");
  SQUALL_TRY(const auto custom,
             compile_program(*resource.custom_metaschema, inner, Documents::Check::no));
  return check(*custom, schema);
}

Result<std::shared_ptr<const Program>> Compiler::run(const json::Value& root,
                                                     Documents::Check check) {
  program_.limits = options_.limits;
  program_.limits.depth = std::min(program_.limits.depth, kDepthMax);
  program_.nodes.emplace_back();  // kTrue
  SQUALL_TRY(const Place place, documents_.add_root(root, check));
  program_.root = node_for(root, place);
  SQUALL_CHECK(drain());
  SQUALL_CHECK(compile_dynamic_anchors());
  if (!program_.has_dynamic_refs) bypass_references();
  program_.origins = documents_.take_origins();
  return std::make_shared<const Program>(std::move(program_));
}

std::unexpected<Error> Compiler::wrong(std::string_view keyword) {
  return fail(ErrorKind::invalid, "bad value of the keyword " + quote(keyword));
}

NodeId Compiler::node_for(const json::Value& schema, Place place) {
  const bool is_true = schema.is_bool() ? schema.boolean() : schema.size() == 0;
  if (is_true) return kTrue;
  const auto [at, added] = ids_.try_emplace(&schema, static_cast<NodeId>(program_.nodes.size()));
  if (added) {
    Node node;
    node.resource = place.resource;
    node.origin = place.origin;
    program_.nodes.push_back(node);
    queue_.emplace_back(at->second, &schema);
  }
  return at->second;
}

Result<NodeId> Compiler::child(const json::Value& schema) {
  const auto place = documents_.find_place(schema);
  if (!place) return fail(ErrorKind::invalid, "a schema is an object or a boolean");
  return node_for(schema, *place);
}

Result<void> Compiler::drain() {
  while (!queue_.empty()) {
    const auto [id, schema] = queue_.front();
    queue_.pop_front();
    SQUALL_CHECK(compile_node(id, *schema));
  }
  return {};
}

Result<void> Compiler::compile_node(NodeId id, const json::Value& schema) {
  const Place place{program_.nodes[id].resource, program_.nodes[id].origin};
  Current at{schema, place, documents_.resource(place.resource).dialect};
  if (schema.is_bool()) {
    at.types = 0;  // `true` has no node of its own
  } else {
    SQUALL_CHECK(compile_object(at));
  }
  Node& node = program_.nodes[id];
  node.types = at.types;
  node.tracks = at.tracks;
  node.first = static_cast<std::uint32_t>(program_.instructions.size());
  node.count = static_cast<std::uint32_t>(at.instructions.size());
  program_.instructions.insert(program_.instructions.end(), at.instructions.begin(),
                               at.instructions.end());
  return {};
}

Result<void> Compiler::compile_object(Current& at) {
  if (at.is_07() && at.schema.find_string("$ref")) return references(at);
  if (at.has(Vocabulary::validation)) SQUALL_CHECK(assertions(at));
  SQUALL_CHECK(strings(at));
  SQUALL_CHECK(objects(at));
  if (at.has(Vocabulary::applicator)) SQUALL_CHECK(arrays(at));
  SQUALL_CHECK(references(at));
  if (at.has(Vocabulary::applicator)) SQUALL_CHECK(in_place(at));
  if (at.has(Vocabulary::unevaluated) && !at.is_07()) SQUALL_CHECK(unevaluated(at));
  return {};
}

Result<void> Compiler::references(Current& at) {
  if (const auto ref = at.schema.find_string("$ref")) {
    SQUALL_TRY(const Target target, documents_.resolve(at.place, *ref));
    at.emit(Op::ref, kAllKinds, node_for(*target.schema, target.place));
  }
  const auto ref = at.schema.find_string("$dynamicRef");
  if (!ref || at.is_07()) return {};
  SQUALL_TRY(const Target target, documents_.resolve(at.place, *ref));
  const NodeId fallback = node_for(*target.schema, target.place);
  if (target.dynamic_anchor.empty()) {
    at.emit(Op::ref, kAllKinds, fallback);
    return {};
  }
  const auto anchor = anchors_.try_emplace(std::string(target.dynamic_anchor),
                                           static_cast<std::uint32_t>(anchors_.size()));
  at.emit(Op::dynamic_ref, kAllKinds, fallback, anchor.first->second);
  program_.has_dynamic_refs = true;
  return {};
}

// Every known resource might be the outermost one, so the anchors of all of them are compiled;
// which can bring in more resources and more references.
Result<void> Compiler::compile_dynamic_anchors() {
  std::size_t before = 0;
  do {
    before = program_.nodes.size();
    program_.dynamic_anchors.clear();
    SQUALL_CHECK(documents_.spend(anchors_.size() * documents_.resource_count()));
    for (const auto& [name, anchor] : anchors_) {
      for (std::uint32_t id = 0; id < documents_.resource_count(); ++id) {
        const auto& anchors = documents_.resource(id).dynamic_anchors;
        const auto found = anchors.find(name);
        if (found == anchors.end()) continue;
        SQUALL_TRY(const NodeId node, child(*found->second));
        program_.dynamic_anchors.push_back({anchor, id, node});
      }
    }
    SQUALL_CHECK(drain());
  } while (program_.nodes.size() != before);
  std::ranges::sort(program_.dynamic_anchors, {},
                    [](const DynamicAnchor& at) { return std::pair(at.anchor, at.resource); });
  return {};
}

// A node that only refers to another costs a level of depth for nothing. Not done where dynamic
// scopes matter, since passing through a resource adds it to them.
void Compiler::bypass_references() {
  for (Instruction& at : program_.instructions) {
    switch (at.op) {
      case Op::ref:
      case Op::contains:
      case Op::property_names:
      case Op::negation:
      case Op::unevaluated_items:
      case Op::unevaluated_properties:
        redirect(at.a);
        break;
      case Op::items:
        if (at.c != kNone) redirect(at.c);
        break;
      case Op::conditional:
        redirect(at.a);
        redirect(at.b);
        redirect(at.c);
        break;
      default:
        break;
    }
  }
  for (NodeId& id : program_.lists) redirect(id);
  for (Dependency& dependency : program_.dependencies) redirect(dependency.node);
  for (ObjectPlan& plan : program_.objects) {
    for (Property& property : plan.properties) {
      if (property.node != kNone) redirect(property.node);
    }
    for (PatternRule& rule : plan.patterns) redirect(rule.node);
    redirect(plan.additional);
  }
  redirect(program_.root);
}

void Compiler::redirect(NodeId& id) const {
  constexpr int kHopsMax = 8;  // references in a circle stay one
  for (int hop = 0; hop < kHopsMax; ++hop) {
    const Node& node = program_.nodes[id];
    if (node.count != 1 || node.types != kAllKinds) return;
    const Instruction& only = program_.instructions[node.first];
    if (only.op != Op::ref) return;
    id = only.a;
  }
}

}  // namespace squall::schema
