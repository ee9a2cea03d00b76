#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/lab/adapter.h"
#include "squall/lab/ending.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

/// @file The operations of a connection, each within its own time.

namespace squall::lab {

/// How an operation ended, whatever the target thought of the question.
enum class Outcome : std::uint8_t { success, error, timeout, cancelled, transport_loss };
[[nodiscard]] std::string_view to_text(Outcome outcome) noexcept;
/// A tool's own error is a success of the operation; refusals and broken answers are errors.
[[nodiscard]] Outcome outcome_of(Ending ending) noexcept;

/// What became of one operation.
struct Operation {
  enum class Kind : std::uint8_t { setup, execute, observe, cancel, cleanup };
  Kind kind = Kind::setup;
  std::uint32_t number = 0;     ///< among those of its kind in the run, from 1
  runtime::Duration started{};  ///< since the run began
  runtime::Duration ended{};
  Outcome outcome = Outcome::success;
  std::string message{};    ///< of a failure
  std::string_view code{};  ///< "deadline_exceeded", "adapter_operation_rejected", or ""
  bool expected = false;    ///< that it ended so is what the scenario asked for
  [[nodiscard]] std::string_view name() const noexcept;  ///< "setup"
  [[nodiscard]] std::string id() const;                  ///< "external-run:setup:1"
  [[nodiscard]] runtime::Duration took() const { return ended - started; }
};

/// Notes the operations of a run, and numbers them.
class OperationLog {
 public:
  explicit OperationLog(runtime::Loop& loop) : loop_(loop), began_(loop.now()) {}
  /// The index of an operation that begins now.
  std::size_t begin(Operation::Kind kind);
  void end(std::size_t index, const Attempt& attempt, std::string_view code);
  /// The scenario expected that operation to end as it did.
  void expect(std::size_t index) { operations_[index].expected = true; }
  [[nodiscard]] const std::vector<Operation>& all() const noexcept { return operations_; }
  [[nodiscard]] runtime::TimePoint began() const noexcept { return began_; }
  [[nodiscard]] runtime::Duration elapsed() const { return loop_.now() - began_; }
  /// Whether every setup, cancel and cleanup was a success, or expected to be none.
  [[nodiscard]] bool healthy() const;

 private:
  runtime::Loop& loop_;
  runtime::TimePoint began_;
  std::vector<Operation> operations_;
  std::array<std::uint32_t, 5> counts_{};  ///< by kind
};

/// One connection's operations. Every budget is positive and finite.
class Lifecycle {
 public:
  /// All three outlive it.
  Lifecycle(runtime::Loop& loop, Subject& subject, OperationLog& log)
      : loop_(loop), subject_(subject), log_(log) {}

  struct Done {
    Attempt attempt{};
    runtime::Duration took{};
    std::size_t operation = 0;  ///< its place in the log
  };
  Task<Done> setup(runtime::Duration budget);
  /// When its time is over, the job is cancelled, which is an operation of its own, and given up.
  Task<Done> execute(Operation::Kind kind, Job job, runtime::Duration budget,
                     runtime::Duration cancel_budget);
  Task<Done> cancel(std::uint64_t job, std::string reason, runtime::Duration budget);
  /// Once: whoever asks again, even meanwhile, gets what the first one got.
  Task<Done> cleanup(runtime::Duration budget);

 private:
  Task<Done> run(Operation::Kind kind, Task<Attempt> work, runtime::Duration budget);

  runtime::Loop& loop_;
  Subject& subject_;
  OperationLog& log_;
  bool cleaning_ = false;
  std::optional<Done> cleaned_;
  class Turn;
  std::vector<Turn*> waiting_;
};

}  // namespace squall::lab
