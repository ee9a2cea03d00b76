#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include <sys/epoll.h>

#include "squall/runtime/loop.h"

#include "timer_queue.h"
#include "unique_fd.h"

namespace squall::runtime {

class Connector;
class Resolver;
class SignalWatch;

/// Told of what epoll sees. Any of the calls may destroy the handler.
class EventHandler {
 public:
  /// `side` is the one given to `watch`, `events` the EPOLL bits.
  virtual void on_events(int side, std::uint32_t events) = 0;
  /// The turn asked for with `next_turn`.
  virtual void on_turn() {}

 protected:
  ~EventHandler() = default;
};

/// Names an enrolled handler, also after it is gone: numbers are never used twice.
struct Ticket {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
};

class EpollLoop final : public SystemLoop {
 public:
  EpollLoop();
  ~EpollLoop() override;

  TimePoint now() const override;
  std::chrono::system_clock::time_point wall_time() const override;
  void post(Task0 task) override;
  TimerId call_after(Duration delay, Task0 task) override;
  bool cancel(TimerId timer) override;
  Result<std::unique_ptr<Listener>> listen(const ListenOptions& options,
                                           AcceptHandler on_accept) override;
  void connect(const std::string& host, std::uint16_t port, Duration timeout,
               ConnectHandler on_connect) override;
  void run() override;
  void stop() override;
  void hold() override { ++holds_; }
  void release() override;
  std::unique_ptr<ByteStream> adopt(int read_fd, int write_fd, std::string name) override;
  Result<void> on_signal(int signal, std::move_only_function<void()> handler) override;

  [[nodiscard]] Ticket enroll(EventHandler& handler);
  void dismiss(Ticket ticket);
  /// Whether the handler is still enrolled: what to ask after every call that may destroy it.
  [[nodiscard]] bool alive(Ticket ticket) const;
  /// Calls `on_turn` in the loop's next round.
  void next_turn(Ticket ticket);

  /// Adds `fd` to epoll, for `side` (0 or 1) of the handler; false with errno set.
  [[nodiscard]] bool watch(Ticket ticket, int side, int fd, std::uint32_t events);
  void rewatch(Ticket ticket, int side, int fd, std::uint32_t events);
  void unwatch(int fd);

  /// One buffer for all streams: what is in it is good until the next read.
  [[nodiscard]] std::span<char> read_buffer();
  [[nodiscard]] Resolver& resolver();
  /// Destroys a connector that has done its work.
  void forget(Connector& connector);

 private:
  struct Slot {
    EventHandler* handler = nullptr;
    std::uint32_t generation = 0;
  };

  [[nodiscard]] TimePoint time_after(Duration delay) const;
  void run_posted();
  void run_turns();
  void run_timers();
  /// Waits for events and hands them out; false when nothing can ever happen any more.
  bool poll();
  [[nodiscard]] int wait(std::span<epoll_event> events, const timespec* timeout);
  void dispatch(std::span<const epoll_event> events);
  void wake();

  UniqueFd epoll_;
  UniqueFd wakeup_;
  TimerQueue timers_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<Ticket> turns_;
  std::size_t holds_ = 0;
  std::atomic<bool> stopped_ = false;
  int rounds_ = 0;  // since epoll was asked
  bool running_ = false;
  bool coarse_wait_ = false;  // this kernel has no epoll_pwait2

  std::mutex mutex_;
  std::vector<Task0> posted_;  // guarded by mutex_
  bool asleep_ = false;        // guarded by mutex_: a post has to wake the loop

  std::unique_ptr<char[]> read_buffer_;
  std::unique_ptr<Resolver> resolver_;
  std::unordered_map<Connector*, std::unique_ptr<Connector>> connectors_;
  std::vector<std::unique_ptr<SignalWatch>> signals_;
};

}  // namespace squall::runtime
