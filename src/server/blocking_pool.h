#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "squall/server/engine.h"

namespace squall::server {

/// Threads for handlers that block. They start when there is first something to do.
class BlockingPool {
 public:
  explicit BlockingPool(const BlockingOptions& options) : options_(options) {}
  /// Waits for what runs; what has not begun never will.
  ~BlockingPool();
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  /// False when the queue is full.
  [[nodiscard]] bool run(std::move_only_function<void()> work);
  /// Tells how long a call took, its wait included.
  void took(std::chrono::milliseconds time);
  /// How long the queue takes about, by what calls have taken lately.
  [[nodiscard]] std::chrono::milliseconds queue_delay() const;

 private:
  void work();
  const BlockingOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::move_only_function<void()>> queue_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  double mean_ms_ = 100;  // of recent calls
  bool stopping_ = false;
};

}  // namespace squall::server
