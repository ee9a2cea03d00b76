#pragma once

#include <algorithm>
#include <vector>

#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

namespace squall::client {

/// Lets any number of coroutines wait until it is open.
class Gate {
 public:
  explicit Gate(runtime::Loop& loop) : loop_(loop) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  [[nodiscard]] bool is_open() const noexcept { return open_; }
  void open() {
    open_ = true;
    for (runtime::OneShot<>* const shot : waiting_) shot->set();
    waiting_.clear();
  }
  void shut() noexcept { open_ = false; }

  Task<void> wait() {
    while (!open_) co_await wait_once();
  }
  /// Until it is opened, even if it is shut again by then.
  Task<void> wait_once() {
    if (open_) co_return;
    Place place(*this);
    co_await place.shot;
  }

 private:
  struct Place {
    explicit Place(Gate& its_gate) : gate(its_gate), shot(its_gate.loop_) {
      gate.waiting_.push_back(&shot);
    }
    ~Place() { std::erase(gate.waiting_, &shot); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    Gate& gate;
    runtime::OneShot<> shot;
  };

  runtime::Loop& loop_;
  bool open_ = false;
  std::vector<runtime::OneShot<>*> waiting_;
};

/// Opens a gate at the end of a scope, and so also when the coroutine that shut it is destroyed.
class GateOpener {
 public:
  explicit GateOpener(Gate& gate) : gate_(gate) {}
  ~GateOpener() { gate_.open(); }
  GateOpener(const GateOpener&) = delete;
  GateOpener& operator=(const GateOpener&) = delete;

 private:
  Gate& gate_;
};

}  // namespace squall::client
