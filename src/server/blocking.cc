#include "squall/server/blocking.h"

#include <mutex>

#include "blocking_pool.h"
#include "engine_state.h"
#include "request.h"

namespace squall::server {

/// What the thread and the waiting request share. Its loop may end before the thread does: it is
/// posted to under the lock, and let go of under the lock.
class BlockingCall::State {
 public:
  explicit State(ServedRequest& request)
      : begun(request.loop().now()), loop_(&request.loop()), request_(request.weak_from_this()) {}

  std::stop_source stop;
  // Both of the loop's thread alone.
  std::coroutine_handle<> waiter;
  const runtime::TimePoint begun;

  void post(runtime::Task0 task) {
    const std::lock_guard lock(mutex_);
    if (loop_ != nullptr) loop_->post(std::move(task));
  }
  void leave_loop() {
    const std::lock_guard lock(mutex_);
    loop_ = nullptr;
  }
  [[nodiscard]] runtime::Loop* loop() const noexcept { return loop_; }
  [[nodiscard]] const std::weak_ptr<ServedRequest>& request() const noexcept { return request_; }

 private:
  std::mutex mutex_;
  runtime::Loop* loop_;
  std::weak_ptr<ServedRequest> request_;
};

std::stop_token BlockingCall::token() const noexcept { return state_->stop.get_token(); }

void BlockingCall::progress(double progress, std::optional<double> total,
                            std::string_view message) {
  if (cancelled()) return;
  state_->post([weak = state_->request(), progress, total, text = std::string(message)] {
    const auto request = weak.lock();
    if (request && !request->over()) request->context().progress(progress, total, text);
  });
}

namespace detail {

BlockingWait::BlockingWait(Context& context, std::function<void(BlockingCall&)> work)
    : pool_(context.engine().state().blocking),
      state_(std::make_shared<BlockingCall::State>(request_of(context))) {
  auto job = [state = state_, work = std::move(work)] {
    BlockingCall call(state);
    if (!call.cancelled()) work(call);
    state->post([state] {
      if (const auto waiter = std::exchange(state->waiter, {})) waiter.resume();
    });
  };
  bool taken = true;
  if (pool_.is_inline()) {
    state_->post(std::move(job));
  } else {
    taken = pool_.run(std::move(job), state_->stop);
  }
  if (taken) {
    state_->loop()->hold();
    return;
  }
  state_->leave_loop();
  refusal_ = ToolError("SERVER_BUSY", "all threads are taken");
  refusal_->recovery("Wait, then call again; send fewer calls at once.")
      .retry_after(pool_.queue_delay());
}

BlockingWait::~BlockingWait() {
  runtime::Loop* const loop = state_->loop();
  if (loop == nullptr) return;
  state_->stop.request_stop();
  state_->waiter = {};
  state_->leave_loop();
  loop->release();
}

void BlockingWait::await_suspend(std::coroutine_handle<> waiter) { state_->waiter = waiter; }

std::optional<ToolError> BlockingWait::await_resume() {
  if (!refusal_) {
    const runtime::Duration time = state_->loop()->now() - state_->begun;
    pool_.took(std::chrono::duration_cast<std::chrono::milliseconds>(time));
  }
  return std::move(refusal_);
}

std::shared_ptr<const void> keep_request(Context& context) {
  ServedRequest& request = request_of(context);
  return std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<void>>>(
      request.message_text(), request.own_context);
}

}  // namespace detail
}  // namespace squall::server
