#pragma once

#include <coroutine>
#include <deque>
#include <utility>

#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

namespace squall::auth {

/// Lets one coroutine through at a time, in the order they came: `const Gate::Pass pass = co_await
/// gate.enter();`. A coroutine may be destroyed where it waits. The gate outlives them all.
class Gate {
 public:
  explicit Gate(runtime::Loop& loop) : loop_(loop) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  class [[nodiscard]] Pass {
   public:
    explicit Pass(Gate& gate) : gate_(&gate) {}
    Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (gate_ != nullptr) gate_->leave();
    }

   private:
    Gate* gate_;
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
  /// A place in the queue. Whoever leaves hands the gate to the first; if that one is destroyed
  /// before it goes on, the gate goes to the next.
  struct Waiter {
    explicit Waiter(Gate& its_gate) : gate(its_gate), turn(its_gate.loop_) {
      gate.waiters_.push_back(this);
    }
    ~Waiter() {
      std::erase(gate.waiters_, this);
      if (handed) gate.leave();
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    Gate& gate;
    runtime::OneShot<> turn;
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

  runtime::Loop& loop_;
  std::deque<Waiter*> waiters_;
  bool taken_ = false;
};

}  // namespace squall::auth
