#include "blocking_pool.h"

#include <algorithm>

namespace squall::server {

BlockingPool::~BlockingPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
    for (std::stop_source& stop : running_) stop.request_stop();
  }
  more_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool BlockingPool::run(std::move_only_function<void()> work, const std::stop_source& stop) {
  {
    const std::lock_guard lock(mutex_);
    const bool may_grow = threads_.size() < options_.threads;
    if (idle_ <= queue_.size() && !may_grow && queue_.size() >= options_.queue_max) return false;
    queue_.push_back({std::move(work), stop});
    if (idle_ < queue_.size() && may_grow) {
      threads_.emplace_back([this] { this->work(); });
    }
  }
  more_.notify_one();
  return true;
}

std::chrono::milliseconds BlockingPool::queue_delay() const {
  const std::lock_guard lock(mutex_);
  const double threads = static_cast<double>(std::max<std::size_t>(1, options_.threads));
  const double ms = mean_ms_ * static_cast<double>(queue_.size() + 1) / threads;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(ms, 1.0, 60'000.0)));
}

void BlockingPool::took(std::chrono::milliseconds time) {
  const std::lock_guard lock(mutex_);
  mean_ms_ += (static_cast<double>(time.count()) - mean_ms_) / 8;
}

void BlockingPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    more_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    --idle_;
    if (stopping_) return;
    Job next = std::move(queue_.front());
    queue_.pop_front();
    running_.push_back(next.stop);
    lock.unlock();
    next.work();
    next.work = nullptr;
    lock.lock();
    running_.erase(std::ranges::find(running_, next.stop));
  }
}

}  // namespace squall::server
