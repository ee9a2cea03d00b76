#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/schema.h"

#include "evaluate.h"
#include "marks.h"
#include "program.h"

namespace squall::schema {

/// The way from the instance's root to the value at hand; lives on the stack.
struct Path {
  const Path* parent = nullptr;
  std::string_view name;
  std::size_t index = kNoIndex;
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
};

/// One run of a program. Recurses to the program's depth limit and no further.
///
/// `marks`, when there, take the members or elements that the evaluated keywords accounted for;
/// they are only there inside a schema with `unevaluated*`, so other runs do no bookkeeping.
class Evaluator {
 public:
  Evaluator(const Program& program, std::vector<Violation>* violations)
      : program_(program), violations_(violations), steps_left_(program.limits.steps) {
    if (violations != nullptr) violations_max_ = violations->size() + program.limits.errors;
  }
  [[nodiscard]] Evaluation run(const json::Value& instance);

 private:
  // What an instruction is executed on.
  struct Frame {
    const Node& node;
    const json::Value& value;
    const Path* path;
    Marks* marks;
  };
  struct Scope {
    const Scope* outer;
    std::uint32_t resource;
  };
  // No violations are reported while one of these lives: its schema is allowed to fail.
  class Quiet {
   public:
    explicit Quiet(Evaluator& evaluator)
        : evaluator_(evaluator), violations_(evaluator.violations_) {
      evaluator_.violations_ = nullptr;
    }
    ~Quiet() { evaluator_.violations_ = violations_; }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

   private:
    Evaluator& evaluator_;
    std::vector<Violation>* violations_;
  };

  bool evaluate(NodeId id, const json::Value& value, const Path* path, Marks* marks);
  bool evaluate_scoped(const Node& node, const json::Value& value, const Path* path, Marks* marks);
  bool evaluate_tracking(const Node& node, const json::Value& value, const Path* path,
                         Marks* marks);
  bool evaluate_node(const Frame& at);
  /// As `evaluate`, of a schema whose failure is no violation.
  bool holds(NodeId id, const json::Value& value, const Path* path, Marks* marks);
  bool holds_tracking(NodeId id, const Frame& at);
  /// As `evaluate`; when the schema is `false`, the violation is the keyword's.
  bool allows(NodeId id, const json::Value& value, const Path* path, const Frame& at, Op op);

  bool execute(const Instruction& at, const Frame& frame);
  bool execute_shape(const Instruction& at, const Frame& frame);
  bool check_type(const Frame& at);
  bool check_value(const Instruction& at, const Frame& frame);
  bool check_number(const Instruction& at, const Frame& frame);
  bool check_multiple(const Instruction& at, const Frame& frame);
  bool check_length(const Instruction& at, const Frame& frame);
  bool check_pattern(const Instruction& at, const Frame& frame);
  bool check_format(const Instruction& at, const Frame& frame);
  bool check_size(const Instruction& at, const Frame& frame);
  bool check_unique(const Frame& frame);
  bool check_object(const Instruction& at, const Frame& frame);
  bool check_member(const ObjectPlan& plan, std::size_t number, const Property* property,
                    const Frame& frame);
  bool check_required(const ObjectPlan& plan, const Marks& seen, const Frame& frame);
  bool check_names(const Instruction& at, const Frame& frame);
  bool check_dependencies(const Instruction& at, const Frame& frame);
  bool check_items(const Instruction& at, const Frame& frame);
  bool check_contains(const Instruction& at, const Frame& frame);
  bool check_all(const Instruction& at, const Frame& frame);
  bool check_any(const Instruction& at, const Frame& frame);
  bool check_one(const Instruction& at, const Frame& frame);
  bool check_condition(const Instruction& at, const Frame& frame);
  bool check_unevaluated(const Instruction& at, const Frame& frame);
  [[nodiscard]] NodeId dynamic_target(const Instruction& at);

  /// Takes `steps`; false, from then on always, when there are no more.
  bool spend(std::size_t steps = 1) noexcept {
    if (steps > steps_left_) return give_up();
    steps_left_ -= steps;
    return !limited_;
  }
  bool give_up() noexcept {
    limited_ = true;
    return false;
  }
  [[nodiscard]] bool collecting() const noexcept {
    return violations_ != nullptr && violations_->size() < violations_max_ && !limited_;
  }
  /// Notes a violation; always false.
  template <typename Message>
  bool violate(const Frame& at, std::string_view keyword, const Message& message) {
    return violate(at, at.path, keyword, message);
  }
  template <typename Message>
  bool violate(const Frame& at, const Path* path, std::string_view keyword,
               const Message& message) {
    if (collecting()) report(at, path, keyword, message());
    return false;
  }
  void report(const Frame& at, const Path* path, std::string_view keyword, std::string message);

  const Program& program_;
  std::vector<Violation>* violations_;
  std::size_t violations_max_ = 0;
  std::size_t steps_left_;
  std::size_t depth_ = 0;
  const Scope* scope_ = nullptr;
  bool limited_ = false;
};

}  // namespace squall::schema
