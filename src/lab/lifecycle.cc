#include "squall/lab/lifecycle.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "squall/base/assert.h"
#include "squall/lab/expect.h"

#include "timed.h"

namespace squall::lab {

namespace {

Attempt out_of_time(runtime::Duration budget) {
  const std::chrono::duration<double, std::milli> span = budget;
  Attempt attempt;
  attempt.ending = Ending::timeout;
  attempt.message = "operation exceeded " + number_text(span.count()) + "ms";
  return attempt;
}

}  // namespace

std::string_view to_text(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::success:
      return "success";
    case Outcome::error:
      return "error";
    case Outcome::timeout:
      return "timeout";
    case Outcome::cancelled:
      return "cancelled";
    case Outcome::transport_loss:
      break;
  }
  return "transport_loss";
}

Outcome outcome_of(Ending ending) noexcept {
  switch (ending) {
    case Ending::success:
    case Ending::error:
      return Outcome::success;
    case Ending::timeout:
      return Outcome::timeout;
    case Ending::cancelled:
      return Outcome::cancelled;
    case Ending::transport_loss:
      return Outcome::transport_loss;
    case Ending::protocol_error:
    case Ending::invalid_message:
      break;
  }
  return Outcome::error;
}

std::string_view Operation::name() const noexcept {
  switch (kind) {
    case Kind::setup:
      return "setup";
    case Kind::execute:
      return "execute";
    case Kind::observe:
      return "observe";
    case Kind::cancel:
      return "cancel";
    case Kind::cleanup:
      break;
  }
  return "cleanup";
}

std::string Operation::id() const {
  return "external-run:" + std::string(name()) + ":" + std::to_string(number);
}

std::size_t OperationLog::begin(Operation::Kind kind) {
  Operation operation;
  operation.kind = kind;
  operation.number = ++counts_[static_cast<std::size_t>(kind)];
  operation.started = elapsed();
  operations_.push_back(std::move(operation));
  return operations_.size() - 1;
}

void OperationLog::end(std::size_t index, const Attempt& attempt, std::string_view code) {
  Operation& operation = operations_[index];
  operation.ended = elapsed();
  operation.outcome = outcome_of(attempt.ending);
  operation.message = attempt.message;
  operation.code = code;
}

bool OperationLog::healthy() const {
  return std::all_of(operations_.begin(), operations_.end(), [](const Operation& operation) {
    const bool judged =
        operation.kind == Operation::Kind::execute || operation.kind == Operation::Kind::observe;
    if (judged) return operation.code != "adapter_operation_rejected";
    return operation.expected || operation.outcome == Outcome::success;
  });
}

/// Somebody else who waits for the cleanup, on the stack of its coroutine.
class Lifecycle::Turn {
 public:
  explicit Turn(Lifecycle& whose) : come(whose.loop_), whose_(whose) {
    whose_.waiting_.push_back(this);
  }
  ~Turn() { std::erase(whose_.waiting_, this); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  runtime::OneShot<> come;

 private:
  Lifecycle& whose_;
};

Task<Lifecycle::Done> Lifecycle::run(Operation::Kind kind, Task<Attempt> work,
                                     runtime::Duration budget) {
  SQUALL_ASSERT(budget > runtime::Duration::zero() && budget < runtime::Duration::max());
  const std::size_t index = log_.begin(kind);
  const runtime::TimePoint began = loop_.now();
  Timed timed(loop_, std::move(work));
  const bool in_time = co_await timed.wait(budget);
  Done done;
  done.operation = index;
  done.attempt = in_time ? timed.take() : out_of_time(budget);
  done.took = loop_.now() - began;
  std::string_view code;
  if (!in_time) code = "deadline_exceeded";
  if (timed.rejected()) code = "adapter_operation_rejected";
  log_.end(index, done.attempt, code);
  co_return done;
}

Task<Lifecycle::Done> Lifecycle::setup(runtime::Duration budget) {
  Task<Attempt> work = subject_.setup();
  return run(Operation::Kind::setup, std::move(work), budget);
}

Task<Lifecycle::Done> Lifecycle::execute(Operation::Kind kind, Job job, runtime::Duration budget,
                                         runtime::Duration cancel_budget) {
  SQUALL_ASSERT(budget > runtime::Duration::zero() && budget < runtime::Duration::max());
  const std::size_t index = log_.begin(kind);
  const runtime::TimePoint began = loop_.now();
  const std::uint64_t number = job.number;
  Task<Attempt> work = subject_.execute(std::move(job));
  Timed timed(loop_, std::move(work));
  const bool in_time = co_await timed.wait(budget);
  Done done;
  done.took = loop_.now() - began;
  if (in_time) {
    done.attempt = timed.take();
    log_.end(index, done.attempt, timed.rejected() ? "adapter_operation_rejected" : "");
    co_return done;
  }
  done.attempt = out_of_time(budget);
  log_.end(index, done.attempt, "deadline_exceeded");
  std::string reason(log_.all()[index].name());
  reason += " timed out";
  Task<Done> cancelling = cancel(number, std::move(reason), cancel_budget);
  co_await std::move(cancelling);
  co_return done;
}

Task<Lifecycle::Done> Lifecycle::cancel(std::uint64_t job, std::string reason,
                                        runtime::Duration budget) {
  Task<Attempt> work = subject_.cancel(job, std::move(reason));
  return run(Operation::Kind::cancel, std::move(work), budget);
}

Task<Lifecycle::Done> Lifecycle::cleanup(runtime::Duration budget) {
  if (!std::exchange(cleaning_, true)) {
    Task<Attempt> work = subject_.cleanup();
    Task<Done> running = run(Operation::Kind::cleanup, std::move(work), budget);
    Done done = co_await std::move(running);
    if (done.attempt.ending == Ending::timeout) {
      done.attempt.message = "Client cleanup timed out";
    }
    cleaned_ = done;
    for (Turn* const turn : waiting_) turn->come.set();
  } else if (!cleaned_) {
    Turn turn(*this);
    co_await turn.come;
  }
  co_return *cleaned_;
}

}  // namespace squall::lab
