#pragma once

#include <coroutine>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "squall/runtime/loop.h"

namespace squall::server {

/// A fixed number of places, and a bounded queue of coroutines that wait for one: first come, first
/// served, over all loops. Shared by those who hold or wait for a place.
///
/// A waiter that is destroyed leaves the queue; one that is destroyed after its turn has come but
/// before it has gone on hands the place to the next. So there are never more holders than places.
class Slots : public std::enable_shared_from_this<Slots> {
 public:
  Slots(std::size_t places, std::size_t queue_max) : places_(places), queue_max_(queue_max) {}

  /// A place; given back when it is destroyed.
  class Hold {
   public:
    Hold() = default;
    Hold(std::shared_ptr<Slots> slots, runtime::Loop& loop)
        : slots_(std::move(slots)), loop_(&loop), since_(loop.now()) {}
    Hold(Hold&& other) noexcept = default;
    Hold& operator=(Hold&&) = delete;
    ~Hold();
    [[nodiscard]] explicit operator bool() const noexcept { return slots_ != nullptr; }

   private:
    std::shared_ptr<Slots> slots_;
    runtime::Loop* loop_ = nullptr;
    runtime::TimePoint since_{};
  };

  class Awaiter;
  /// `co_await`ed, gives a Hold; one that is false when the queue is full.
  [[nodiscard]] Awaiter acquire(runtime::Loop& loop);

  /// When a place may be free for one more, going by how long places have been held lately.
  [[nodiscard]] std::chrono::milliseconds retry_after() const;
  [[nodiscard]] std::size_t held() const;
  [[nodiscard]] std::size_t waiting() const;

 private:
  /// A waiter's side of the queue. Its members belong to its loop, but for `granted` (the lock).
  struct Ticket {
    runtime::Loop* loop;
    std::coroutine_handle<> waiter;
    bool granted = false;
    bool gone = false;
  };
  enum class Entry { taken, queued, refused };
  Entry enter(const std::shared_ptr<Ticket>& ticket);
  /// Takes a waiter out of the queue; passes on what it was granted.
  void leave(const std::shared_ptr<Ticket>& ticket);
  void give_back();
  void note_held(runtime::Duration duration);

  const std::size_t places_;
  const std::size_t queue_max_;
  mutable std::mutex mutex_;
  std::size_t held_ = 0;
  std::deque<std::shared_ptr<Ticket>> queue_;
  std::int64_t mean_held_ns_ = 0;  // a moving average; 0: nothing is known yet
};

class [[nodiscard]] Slots::Awaiter {
 public:
  Awaiter(std::shared_ptr<Slots> slots, runtime::Loop& loop)
      : slots_(std::move(slots)), loop_(loop) {}
  Awaiter(const Awaiter&) = delete;
  Awaiter& operator=(const Awaiter&) = delete;
  ~Awaiter();
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter);
  Hold await_resume();

 private:
  std::shared_ptr<Slots> slots_;
  runtime::Loop& loop_;
  std::shared_ptr<Ticket> ticket_;  // shared with the queue
  bool taken_ = false;
};

}  // namespace squall::server
