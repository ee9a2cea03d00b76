#include "epoll_loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <sys/eventfd.h>

#include "squall/base/assert.h"

#include "acceptor.h"
#include "address.h"
#include "connector.h"
#include "fd_stream.h"
#include "resolver.h"
#include "signal_watch.h"

namespace squall::runtime {
namespace {

constexpr std::size_t kReadBufferBytes = 64 << 10;
constexpr std::size_t kEventsPerRound = 128;
/// So many rounds of tasks that are due anyway run before epoll is asked, which costs a system
/// call.
constexpr int kRoundsPerWait = 16;
constexpr std::uint64_t kWakeup = ~std::uint64_t{0};
constexpr std::uint32_t kGenerationMax = 0x7fffffff;  // one bit of the event's word is the side

epoll_event make_event(Ticket ticket, int side, std::uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.u64 = std::uint64_t{ticket.generation} << 33U |
                   std::uint64_t{static_cast<std::uint32_t>(side)} << 32U | ticket.slot;
  return event;
}

/// A write to a broken pipe is an error to handle, and there is no way to say so per write.
void ignore_sigpipe() {
  struct sigaction current = {};
  if (::sigaction(SIGPIPE, nullptr, &current) != 0) return;
  if (current.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

std::unique_ptr<SystemLoop> SystemLoop::make() { return std::make_unique<EpollLoop>(); }

EpollLoop::EpollLoop()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wakeup_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  SQUALL_ASSERT(epoll_.valid());
  SQUALL_ASSERT(wakeup_.valid());
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.u64 = kWakeup;
  SQUALL_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wakeup_.get(), &event) == 0);
  ignore_sigpipe();
}

EpollLoop::~EpollLoop() {
  SQUALL_ASSERT(!running_);
  resolver_.reset();  // first, so that no lookup posts any more
  signals_.clear();
  // What tasks own may post, set timers and close streams while it is destroyed.
  for (;;) {
    while (!connectors_.empty()) {
      const auto forgotten = connectors_.extract(connectors_.begin());
    }
    timers_.clear();
    std::vector<Task0> tasks;
    {
      const std::scoped_lock lock(mutex_);
      tasks.swap(posted_);
    }
    if (tasks.empty() && timers_.empty() && connectors_.empty()) break;
  }
}

TimePoint EpollLoop::now() const {
  return std::chrono::time_point_cast<Duration>(std::chrono::steady_clock::now());
}

std::chrono::system_clock::time_point EpollLoop::wall_time() const {
  return std::chrono::system_clock::now();
}

void EpollLoop::post(Task0 task) {
  bool asleep = false;
  {
    const std::scoped_lock lock(mutex_);
    posted_.push_back(std::move(task));
    asleep = std::exchange(asleep_, false);
  }
  if (asleep) wake();
}

TimePoint EpollLoop::time_after(Duration delay) const {
  const TimePoint start = now();
  return start + std::clamp(delay, Duration::zero(), Duration(TimePoint::max() - start));
}

TimerId EpollLoop::call_after(Duration delay, Task0 task) {
  return timers_.add(time_after(delay), std::move(task));
}

bool EpollLoop::cancel(TimerId timer) { return timers_.cancel(timer); }

Result<std::unique_ptr<Listener>> EpollLoop::listen(const ListenOptions& options,
                                                    AcceptHandler on_accept) {
  return Acceptor::open(*this, options, std::move(on_accept));
}

void EpollLoop::connect(const std::string& host, std::uint16_t port, Duration timeout,
                        ConnectHandler on_connect) {
  auto connector =
      std::make_unique<Connector>(*this, host, port, time_after(timeout), std::move(on_connect));
  Connector& started = *connector;
  connectors_.emplace(&started, std::move(connector));
  started.start();
}

void EpollLoop::forget(Connector& connector) { connectors_.erase(&connector); }

std::unique_ptr<ByteStream> EpollLoop::adopt(int read_fd, int write_fd, std::string name) {
  return FdStream::adopt(*this, read_fd, write_fd, std::move(name));
}

Result<void> EpollLoop::on_signal(int signal, std::move_only_function<void()> handler) {
  SQUALL_TRY(auto watch, SignalWatch::open(*this, signal, std::move(handler)));
  signals_.push_back(std::move(watch));
  return {};
}

void EpollLoop::run() {
  SQUALL_ASSERT(!running_);
  running_ = true;
  while (!stopped_) {
    run_posted();
    run_turns();
    run_timers();
    if (stopped_ || !poll()) break;
  }
  running_ = false;
  stopped_ = false;
}

void EpollLoop::stop() {
  stopped_ = true;
  wake();
}

void EpollLoop::release() {
  SQUALL_ASSERT(holds_ > 0);
  --holds_;
}

void EpollLoop::wake() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the loop is awake anyway.
  [[maybe_unused]] const ssize_t written = ::write(wakeup_.get(), &one, sizeof one);
}

void EpollLoop::run_posted() {
  std::vector<Task0> tasks;
  {
    const std::scoped_lock lock(mutex_);
    tasks.swap(posted_);
  }
  for (Task0& task : tasks) {
    task();
    task = nullptr;
  }
}

void EpollLoop::run_turns() {
  const std::vector<Ticket> tickets = std::exchange(turns_, {});
  for (const Ticket ticket : tickets) {
    if (alive(ticket)) slots_[ticket.slot].handler->on_turn();
  }
}

void EpollLoop::run_timers() {
  if (timers_.empty()) return;
  // Timers made by these tasks wait for the next round, so that sockets get their turn.
  const std::uint64_t order = timers_.order();
  const TimePoint round = now();
  while (auto task = timers_.take_due(round, order)) (*task)();
}

bool EpollLoop::poll() {
  std::array<epoll_event, kEventsPerRound> events;
  timespec timeout = {};
  const timespec* limit = &timeout;
  bool due_now = false;
  {
    const std::scoped_lock lock(mutex_);
    if (posted_.empty() && turns_.empty()) {
      if (const auto next = timers_.next()) {
        const Duration left = std::max(*next - now(), Duration::zero());
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
        timeout.tv_sec = seconds.count();
        timeout.tv_nsec = (left - seconds).count();
      } else if (holds_ == 0) {
        return false;
      } else {
        limit = nullptr;
      }
    }
    due_now = limit != nullptr && timeout.tv_sec == 0 && timeout.tv_nsec == 0;
    asleep_ = !due_now;
  }
  if (due_now && ++rounds_ < kRoundsPerWait) return true;
  rounds_ = 0;
  const int count = wait(events, limit);
  {
    const std::scoped_lock lock(mutex_);
    asleep_ = false;
  }
  dispatch(std::span(events).first(static_cast<std::size_t>(std::max(count, 0))));
  return true;
}

void EpollLoop::dispatch(std::span<const epoll_event> events) {
  for (const epoll_event& event : events) {
    const std::uint64_t word = event.data.u64;
    if (word == kWakeup) {
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t got = ::read(wakeup_.get(), &wakes, sizeof wakes);
      continue;
    }
    const Ticket ticket{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 33U)};
    if (!alive(ticket)) continue;  // an earlier event of this batch was its end
    slots_[ticket.slot].handler->on_events(static_cast<int>(word >> 32U & 1U), event.events);
  }
}

int EpollLoop::wait(std::span<epoll_event> events, const timespec* timeout) {
  const int capacity = static_cast<int>(events.size());
  if (!coarse_wait_) {
    const int count = ::epoll_pwait2(epoll_.get(), events.data(), capacity, timeout, nullptr);
    if (count >= 0 || errno != ENOSYS) return count;
    coarse_wait_ = true;
  }
  int milliseconds = -1;
  if (timeout != nullptr) {
    // Rounded up: waking early would spin until the timer is due.
    const Duration left =
        std::chrono::seconds(timeout->tv_sec) + std::chrono::nanoseconds(timeout->tv_nsec);
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    milliseconds = static_cast<int>(std::min<std::int64_t>(rounded, 1'000'000'000));
  }
  return ::epoll_wait(epoll_.get(), events.data(), capacity, milliseconds);
}

Ticket EpollLoop::enroll(EventHandler& handler) {
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[slot].handler = &handler;
  return Ticket{slot, slots_[slot].generation};
}

void EpollLoop::dismiss(Ticket ticket) {
  SQUALL_ASSERT(alive(ticket));
  slots_[ticket.slot].handler = nullptr;
  // A slot whose generations are used up is left alone: that is once in 2^31 uses.
  if (slots_[ticket.slot].generation == kGenerationMax - 1) return;
  ++slots_[ticket.slot].generation;
  free_slots_.push_back(ticket.slot);
}

bool EpollLoop::alive(Ticket ticket) const {
  const Slot& slot = slots_[ticket.slot];
  return slot.handler != nullptr && slot.generation == ticket.generation;
}

void EpollLoop::next_turn(Ticket ticket) { turns_.push_back(ticket); }

bool EpollLoop::watch(Ticket ticket, int side, int fd, std::uint32_t events) {
  epoll_event event = make_event(ticket, side, events);
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void EpollLoop::rewatch(Ticket ticket, int side, int fd, std::uint32_t events) {
  epoll_event event = make_event(ticket, side, events);
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void EpollLoop::unwatch(int fd) {
  epoll_event event = {};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, &event);
}

std::span<char> EpollLoop::read_buffer() {
  if (!read_buffer_) read_buffer_ = std::make_unique_for_overwrite<char[]>(kReadBufferBytes);
  return {read_buffer_.get(), kReadBufferBytes};
}

Resolver& EpollLoop::resolver() {
  if (!resolver_) resolver_ = std::make_unique<Resolver>(*this);
  return *resolver_;
}

}  // namespace squall::runtime
