#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/schema/schema.h"

#include "documents.h"
#include "program.h"

namespace squall::schema {

/// Turns the subschemas that can be reached from a root into the nodes of a Program.
///
/// Works through a queue, never recursively: a node's number is known before its content.
class Compiler {
 public:
  explicit Compiler(const CompileOptions& options) : options_(options), documents_(options) {}
  [[nodiscard]] Result<std::shared_ptr<const Program>> run(const json::Value& root,
                                                           Documents::Check check);

 private:
  // The schema being compiled, and what is collected of its node.
  struct Current {
    const json::Value& schema;
    Place place;
    Dialect dialect;
    KindSet types = kAllKinds;
    bool tracks = false;
    std::vector<Instruction> instructions = {};

    [[nodiscard]] bool has(Vocabulary vocabulary) const noexcept { return dialect.has(vocabulary); }
    [[nodiscard]] bool is_07() const noexcept { return dialect.draft == Draft::draft_07; }
    void emit(Op op, KindSet kinds, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0) {
      instructions.push_back({op, kinds, a, b, c});
    }
  };

  static std::unexpected<Error> wrong(std::string_view keyword);
  NodeId node_for(const json::Value& schema, Place place);
  Result<NodeId> child(const json::Value& schema);
  Result<void> drain();
  Result<void> compile_node(NodeId id, const json::Value& schema);
  Result<void> compile_object(Current& at);
  Result<void> compile_dynamic_anchors();
  void bypass_references();
  void redirect(NodeId& id) const;

  Result<void> references(Current& at);
  Result<void> assertions(Current& at);
  Result<void> applicators(Current& at);
  Result<void> types(Current& at);
  Result<void> values(Current& at);
  Result<void> numbers(Current& at);
  Result<void> strings(Current& at);
  Result<void> sizes(Current& at);
  Result<void> objects(Current& at);
  Result<void> properties(Current& at, ObjectPlan& plan);
  Result<void> dependencies(Current& at);
  Result<void> arrays(Current& at);
  Result<void> contains(Current& at);
  Result<void> in_place(Current& at);
  Result<void> unevaluated(Current& at);
  Result<void> limit(Current& at, std::string_view keyword, Op op, KindSet kinds);
  Result<std::uint32_t> count(const json::Value& value, std::string_view keyword);
  Result<std::uint32_t> add_list(const json::Value& schemas, std::string_view keyword);
  Result<std::uint32_t> add_regex(std::string_view pattern);
  std::uint32_t add_enumeration(std::vector<json::Value> values);
  Result<void> add_dependency(std::string_view name, const json::Value& value);

  const CompileOptions& options_;
  Documents documents_;
  Program program_;
  std::unordered_map<const json::Value*, NodeId> ids_;
  std::deque<std::pair<NodeId, const json::Value*>> queue_;
  std::map<std::string, std::uint32_t, std::less<>> anchors_;  // the ones $dynamicRefs ask for
  std::map<std::string, std::uint32_t, std::less<>> regexes_;
  std::size_t regex_bytes_ = 0;
};

}  // namespace squall::schema
