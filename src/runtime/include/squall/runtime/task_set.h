#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "squall/runtime/loop.h"
#include "squall/runtime/task.h"

namespace squall::runtime {

/// Owns coroutines that nobody awaits, until each is done; destroying it destroys the others where
/// they are suspended. On the loop's thread only. None of its tasks may destroy it.
class TaskSet {
 public:
  /// `on_exception` gets what leaves a task; without it, that is a bug of ours.
  explicit TaskSet(Loop& loop,
                   std::move_only_function<void(std::exception_ptr)> on_exception = nullptr);
  ~TaskSet();
  TaskSet(const TaskSet&) = delete;
  TaskSet& operator=(const TaskSet&) = delete;

  /// What names a task of this set; never used twice.
  using Id = std::uint64_t;
  /// Runs `task` until it is first suspended. It is destroyed from the loop once it is done, or on
  /// return if that is already so.
  Id start(Task<void> task);
  /// Destroys a task where it is suspended; whether it was there. Not for the running one.
  bool cancel(Id id);
  void clear();
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }

 private:
  Task<void> supervise(Id id, Task<void> task);
  void sweep();

  Loop& loop_;
  std::move_only_function<void(std::exception_ptr)> on_exception_;
  std::map<Id, Task<void>> tasks_;  // ordered, so that clearing has an order
  std::vector<Id> done_;            // destroyed at the next sweep
  TimerId sweep_ = TimerId::none;
  Id next_ = 1;
};

}  // namespace squall::runtime
