#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "squall/runtime/loop.h"

namespace squall::proxy {

/// Does one thing after the other, each when its time has come: what trickles never overtakes
/// itself. Lives on while something waits.
class Slowly final : public std::enable_shared_from_this<Slowly> {
 public:
  explicit Slowly(runtime::Loop& loop) : loop_(loop) {}

  /// When what was asked for last is due, or now where that is later.
  [[nodiscard]] runtime::TimePoint next() const { return std::max(last_, loop_.now()); }
  [[nodiscard]] bool idle() const noexcept { return queue_.empty(); }
  /// Does `task` at `due`, behind all that was asked for before: at once when nothing waits.
  void at(runtime::TimePoint due, runtime::Task0 task) {
    last_ = std::max(due, last_);
    if (queue_.empty() && due <= loop_.now()) return task();
    queue_.emplace_back(last_, std::move(task));
    if (queue_.size() == 1) wait();
  }

 private:
  void wait() {
    const auto after = std::max(queue_.front().first - loop_.now(), runtime::Duration{});
    loop_.call_after(after, [self = shared_from_this()] { self->go_on(); });
  }
  void go_on() {
    while (!queue_.empty() && queue_.front().first <= loop_.now()) {
      runtime::Task0 task = std::move(queue_.front().second);
      queue_.pop_front();
      task();
    }
    if (!queue_.empty()) wait();
  }

  runtime::Loop& loop_;
  runtime::TimePoint last_{};
  std::deque<std::pair<runtime::TimePoint, runtime::Task0>> queue_;
};

}  // namespace squall::proxy
