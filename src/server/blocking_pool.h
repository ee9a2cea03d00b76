#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "squall/server/engine.h"

namespace squall::server {

/// Threads for handlers that block. They start when there is first something to do.
class BlockingPool {
 public:
  explicit BlockingPool(const BlockingOptions& options) : options_(options) {}
  /// Tells what runs to stop and waits for it; what has not begun never will.
  ~BlockingPool();
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  /// Whether work is to be done on the loop itself, as on virtual time it must be.
  [[nodiscard]] bool is_inline() const noexcept { return options_.threads == 0; }
  /// False when the queue is full. `stop` is asked to stop when the pool ends.
  [[nodiscard]] bool run(std::move_only_function<void()> work, const std::stop_source& stop);
  /// Tells how long a call took, its wait included.
  void took(std::chrono::milliseconds time);
  /// How long the queue takes about, by what calls have taken lately.
  [[nodiscard]] std::chrono::milliseconds queue_delay() const;

 private:
  struct Job {
    std::move_only_function<void()> work;
    std::stop_source stop;
  };
  void work();
  const BlockingOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Job> queue_;
  std::vector<std::stop_source> running_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  double mean_ms_ = 100;  // of recent calls
  bool stopping_ = false;
};

}  // namespace squall::server
