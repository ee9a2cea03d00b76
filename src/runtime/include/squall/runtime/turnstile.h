#pragma once

#include <coroutine>
#include <deque>
#include <utility>

#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

namespace squall::runtime {

/// Lets one coroutine through at a time, in the order they came:
/// `const Turnstile::Pass pass = co_await turnstile.enter();`. A coroutine may be destroyed where
/// it waits. The turnstile outlives them all.
class Turnstile {
 public:
  explicit Turnstile(Loop& loop) : loop_(loop) {}
  Turnstile(const Turnstile&) = delete;
  Turnstile& operator=(const Turnstile&) = delete;

  class [[nodiscard]] Pass {
   public:
    explicit Pass(Turnstile& turnstile) : turnstile_(&turnstile) {}
    Pass(Pass&& other) noexcept : turnstile_(std::exchange(other.turnstile_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (turnstile_ != nullptr) turnstile_->leave();
    }

   private:
    Turnstile* turnstile_;
  };

  Task<Pass> enter() {
    if (!taken_) {
      taken_ = true;
      co_return Pass(*this);
    }
    Waiter waiter(*this);
    co_await waiter.turn;
    waiter.handed = false;
    co_return Pass(*this);
  }

 private:
  /// A place in the queue. Whoever leaves hands the turnstile to the first; if that one is
  /// destroyed before it goes on, the turnstile goes to the next.
  struct Waiter {
    explicit Waiter(Turnstile& its_turnstile)
        : turnstile(its_turnstile), turn(its_turnstile.loop_) {
      turnstile.waiters_.push_back(this);
    }
    ~Waiter() {
      std::erase(turnstile.waiters_, this);
      if (handed) turnstile.leave();
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    Turnstile& turnstile;
    OneShot<> turn;
    bool handed = false;
  };

  void leave() {
    taken_ = !waiters_.empty();
    if (!taken_) return;
    Waiter* const next = waiters_.front();
    waiters_.pop_front();
    next->handed = true;
    next->turn.set();
  }

  Loop& loop_;
  std::deque<Waiter*> waiters_;
  bool taken_ = false;
};

}  // namespace squall::runtime
