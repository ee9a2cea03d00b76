#pragma once

#include <coroutine>
#include <optional>

#include "squall/runtime/loop.h"

namespace squall::runtime {

/// `co_await Sleep(loop, 50ms)`: goes on after that time. Destroying the waiting coroutine forgets
/// the timer.
class Sleep {
 public:
  Sleep(Loop& loop, Duration duration) : loop_(loop), duration_(duration) {}
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep() {
    if (timer_ != TimerId::none) loop_.cancel(timer_);
  }
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    timer_ = loop_.call_after(duration_, [this, waiter] {
      timer_ = TimerId::none;
      waiter.resume();
    });
  }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
  Duration duration_;
  TimerId timer_ = TimerId::none;
};

/// `co_await Forever()`: never goes on; the coroutine ends when it is destroyed.
struct Forever {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  void await_resume() const noexcept {}
};

}  // namespace squall::runtime
