#include "squall/runtime/task_set.h"

#include <utility>

namespace squall::runtime {

TaskSet::TaskSet(Loop& loop, std::move_only_function<void(std::exception_ptr)> on_exception)
    : loop_(loop), on_exception_(std::move(on_exception)) {}

TaskSet::~TaskSet() {
  clear();
  loop_.cancel(sweep_);
}

TaskSet::Id TaskSet::start(Task<void> task) {
  const Id id = next_++;
  const Task<void>& started = tasks_[id] = supervise(id, std::move(task));
  started.start();
  // It may have been cancelled by what it ran, so it is looked up again.
  const auto found = tasks_.find(id);
  if (found != tasks_.end() && found->second.done()) tasks_.erase(found);
  return id;
}

bool TaskSet::cancel(Id id) {
  auto found = tasks_.extract(id);
  return !found.empty();
}

void TaskSet::clear() {
  // What a task owns may start another while it is destroyed.
  while (!tasks_.empty()) const auto destroyed = tasks_.extract(tasks_.begin());
}

Task<void> TaskSet::supervise(Id id, Task<void> task) {
  try {
    co_await std::move(task);
  } catch (...) {
    SQUALL_ASSERT(on_exception_ != nullptr);
    on_exception_(std::current_exception());
  }
  // We run inside the coroutine that is to be destroyed.
  done_.push_back(id);
  if (sweep_ == TimerId::none) {
    sweep_ = loop_.call_after(Duration::zero(), [this] { sweep(); });
  }
}

void TaskSet::sweep() {
  sweep_ = TimerId::none;
  for (const Id id : std::exchange(done_, {})) cancel(id);
}

}  // namespace squall::runtime
