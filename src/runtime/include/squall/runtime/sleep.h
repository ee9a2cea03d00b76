#pragma once

#include <coroutine>

#include "squall/runtime/loop.h"

namespace squall::runtime {

/// What `sleep` returns: awaited once, at once.
class [[nodiscard]] Sleep {
 public:
  Sleep(Loop& loop, Duration delay) : loop_(loop), delay_(delay) {}
  ~Sleep() {
    if (timer_ != TimerId::none) loop_.cancel(timer_);
  }
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    timer_ = loop_.call_after(delay_, [this, waiter] {
      timer_ = TimerId::none;
      waiter.resume();
    });
  }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
  Duration delay_;
  TimerId timer_ = TimerId::none;
};

/// `co_await sleep(loop, 50ms);` goes on after `delay`, and always by way of the loop. Destroying
/// the coroutine meanwhile cancels the timer.
inline Sleep sleep(Loop& loop, Duration delay) { return Sleep(loop, delay); }

/// `co_await Forever();` never goes on; the coroutine ends by being destroyed.
struct Forever {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  void await_resume() const noexcept {}
};

}  // namespace squall::runtime
