#pragma once

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "squall/server/context.h"
#include "squall/server/tool_error.h"

/// @file Handlers that block: on a bounded pool of threads, so that no loop waits for them.

namespace squall::server {

class BlockingPool;

/// A blocking handler's call, as its thread sees it. Everything may be called from that thread, and
/// does nothing once the request is over.
class BlockingCall {
 public:
  class State;
  explicit BlockingCall(std::shared_ptr<State> state) : state_(std::move(state)) {}
  /// The caller has gone, cancelled or been answered: whoever still works works for nobody.
  [[nodiscard]] bool cancelled() const noexcept { return token().stop_requested(); }
  [[nodiscard]] std::stop_token token() const noexcept;
  void progress(double progress, std::optional<double> total = std::nullopt,
                std::string_view message = {});

 private:
  std::shared_ptr<State> state_;  // shared by the thread and the request that waits
};

/// `handle(blocking([](BlockingCall& call, const In& in) { ... }))`: runs the function on a thread
/// of the engine's pool (`EngineOptions::blocking`). It takes `BlockingCall&`, `const In&` and the
/// server's own context; not `Context&`, which belongs to the loop. When all threads are taken and
/// the queue is full the call fails with SERVER_BUSY.
///
/// A cancelled call ends at once for its caller; the function runs on until it looks at
/// `cancelled()`, and what it gives then goes nowhere.
template <typename F>
struct Blocking {
  F function;
};
template <typename F>
[[nodiscard]] Blocking<std::decay_t<F>> blocking(F&& function) {
  return {std::forward<F>(function)};
}

namespace detail {

/// Awaits a function that runs on the pool. Gives why it never ran, or nothing.
class [[nodiscard]] BlockingWait {
 public:
  BlockingWait(Context& context, std::function<void(BlockingCall&)> work);
  ~BlockingWait();
  BlockingWait(const BlockingWait&) = delete;
  BlockingWait& operator=(const BlockingWait&) = delete;
  [[nodiscard]] bool await_ready() const noexcept { return refusal_.has_value(); }
  void await_suspend(std::coroutine_handle<> waiter);
  [[nodiscard]] std::optional<ToolError> await_resume();

 private:
  BlockingPool& pool_;
  std::shared_ptr<BlockingCall::State> state_;  // shared with the thread
  std::optional<ToolError> refusal_;
};

/// Keeps alive what the request's arguments and own context stand in, past the request itself.
[[nodiscard]] std::shared_ptr<const void> keep_request(Context& context);

}  // namespace detail
}  // namespace squall::server
