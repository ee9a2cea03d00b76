#pragma once

#include <optional>
#include <utility>

#include "squall/lab/ending.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/task.h"

namespace squall::lab {

/// Work that somebody waits for within limits. Destroying it gives the work up.
class Timed {
 public:
  /// The work begins at once.
  Timed(runtime::Loop& loop, Task<Attempt> work);
  ~Timed();
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

  /// Waits until the work is done, or `budget` has passed; whether it is done.
  Task<bool> wait(runtime::Duration budget);
  /// Of work that is done.
  [[nodiscard]] Attempt take() { return std::move(*result_); }
  /// Whether the work threw, which a subject must not do.
  [[nodiscard]] bool rejected() const noexcept { return rejected_; }

 private:
  Task<void> run(Task<Attempt> work);
  void stop_timer();

  runtime::Loop& loop_;
  std::optional<Attempt> result_;
  bool rejected_ = false;
  runtime::OneShot<bool>* waiting_ = nullptr;
  runtime::TimerId timer_ = runtime::TimerId::none;
  Task<void> running_;
};

}  // namespace squall::lab
