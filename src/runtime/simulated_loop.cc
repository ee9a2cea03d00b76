#include <algorithm>
#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "squall/base/assert.h"
#include "squall/runtime/loop.h"

#include "address.h"
#include "memory_stream.h"
#include "timer_queue.h"

namespace squall::runtime {
namespace {

/// Where ephemeral ports begin (RFC 6335), for listeners; connecting ends get those below.
constexpr std::uint16_t kFirstFreePort = 49152;
constexpr std::uint16_t kFirstClientPort = 32768;

class MemoryListener;

class VirtualLoop final : public SimulatedLoop {
 public:
  explicit VirtualLoop(std::chrono::system_clock::time_point start) : start_(start) {}
  ~VirtualLoop() override;

  TimePoint now() const override { return TimePoint(elapsed_); }
  std::chrono::system_clock::time_point wall_time() const override {
    return start_ + std::chrono::duration_cast<std::chrono::system_clock::duration>(elapsed_);
  }
  void post(Task0 task) override;
  TimerId call_after(Duration delay, Task0 task) override;
  bool cancel(TimerId timer) override { return timers_.cancel(timer); }
  Result<std::unique_ptr<Listener>> listen(const ListenOptions& options,
                                           AcceptHandler on_accept) override;
  void connect(const std::string& host, std::uint16_t port, Duration timeout,
               ConnectHandler on_connect) override;
  void run() override;
  void stop() override { stopped_ = true; }
  void hold() override {}
  void release() override {}
  bool run_ready() override;
  void advance(Duration span) override;

  void forget_listener(std::uint16_t port) { listeners_.erase(port); }

 private:
  [[nodiscard]] Result<std::uint16_t> choose_port(const ListenOptions& options);
  void reach(const std::string& host, std::uint16_t port, Duration timeout,
             ConnectHandler on_connect);
  void move_to(TimePoint when) { elapsed_ = std::max(elapsed_, when.time_since_epoch()); }

  std::chrono::system_clock::time_point start_;
  Duration elapsed_ = Duration::zero();
  std::thread::id thread_ = std::this_thread::get_id();
  std::deque<Task0> posted_;
  TimerQueue timers_;
  std::map<std::uint16_t, MemoryListener*> listeners_;
  std::uint16_t next_port_ = kFirstFreePort;
  std::uint16_t next_client_ = kFirstClientPort;
  bool stopped_ = false;
};

class MemoryListener final : public Listener {
 public:
  MemoryListener(VirtualLoop& loop, std::uint16_t port, int backlog, AcceptHandler on_accept)
      : loop_(loop),
        port_(port),
        backlog_(static_cast<std::size_t>(std::max(backlog, 1))),
        on_accept_(std::move(on_accept)) {}
  ~MemoryListener() override {
    loop_.forget_listener(port_);
    for (const auto& stream : waiting_) stream->reset();
  }

  std::uint16_t port() const override { return port_; }
  void pause() override { paused_ = true; }
  void resume() override {
    if (std::exchange(paused_, false)) schedule();
  }

  [[nodiscard]] bool full() const { return waiting_.size() >= backlog_; }
  void arrive(std::unique_ptr<ByteStream> stream) {
    waiting_.push_back(std::move(stream));
    schedule();
  }

 private:
  void schedule() {
    loop_.post([self = std::weak_ptr<MemoryListener*>(self_)] {
      MemoryListener* listener = nullptr;
      if (const auto alive = self.lock()) listener = *alive;
      // Nothing may keep `self` from expiring while the handler runs.
      if (listener != nullptr) listener->accept();
    });
  }
  void accept() {
    // The handler may destroy us, and must not be destroyed while it runs.
    const std::weak_ptr<MemoryListener*> self = self_;
    AcceptHandler handler = std::move(on_accept_);
    while (!self.expired() && !paused_ && !waiting_.empty()) {
      auto stream = std::move(waiting_.front());
      waiting_.pop_front();
      handler(std::move(stream));
    }
    if (!self.expired()) on_accept_ = std::move(handler);
  }

  VirtualLoop& loop_;
  std::uint16_t port_;
  std::size_t backlog_;
  AcceptHandler on_accept_;
  std::deque<std::unique_ptr<ByteStream>> waiting_;
  bool paused_ = false;
  // Expires with us: what tasks that may outlive us look at.
  std::shared_ptr<MemoryListener*> self_ = std::make_shared<MemoryListener*>(this);
};

VirtualLoop::~VirtualLoop() {
  // What tasks own may post and set timers while it is destroyed.
  while (!posted_.empty() || !timers_.empty()) {
    timers_.clear();
    const std::deque<Task0> tasks = std::exchange(posted_, {});
  }
}

void VirtualLoop::post(Task0 task) {
  // Another thread would make the order a matter of chance.
  SQUALL_ASSERT(std::this_thread::get_id() == thread_);
  posted_.push_back(std::move(task));
}

TimerId VirtualLoop::call_after(Duration delay, Task0 task) {
  const Duration longest = TimePoint::max() - now();
  return timers_.add(now() + std::clamp(delay, Duration::zero(), longest), std::move(task));
}

Result<std::uint16_t> VirtualLoop::choose_port(const ListenOptions& options) {
  const std::string where = "cannot listen on " + endpoint_text(options.host, options.port) + ": ";
  if (options.port != 0) {
    if (!listeners_.contains(options.port)) return options.port;
    return fail(ErrorKind::unavailable, where + "address already in use");
  }
  for (int tries = 0; tries <= UINT16_MAX - kFirstFreePort; ++tries) {
    const std::uint16_t port = next_port_;
    next_port_ = port == UINT16_MAX ? kFirstFreePort : static_cast<std::uint16_t>(port + 1);
    if (!listeners_.contains(port)) return port;
  }
  return fail(ErrorKind::unavailable, where + "no port is free");
}

Result<std::unique_ptr<Listener>> VirtualLoop::listen(const ListenOptions& options,
                                                      AcceptHandler on_accept) {
  SQUALL_TRY(const std::uint16_t port, choose_port(options));
  auto listener =
      std::make_unique<MemoryListener>(*this, port, options.backlog, std::move(on_accept));
  listeners_[port] = listener.get();
  return listener;
}

void VirtualLoop::connect(const std::string& host, std::uint16_t port, Duration timeout,
                          ConnectHandler on_connect) {
  post([this, host, port, timeout, handler = std::move(on_connect)]() mutable {
    reach(host, port, timeout, std::move(handler));
  });
}

void VirtualLoop::reach(const std::string& host, std::uint16_t port, Duration timeout,
                        ConnectHandler on_connect) {
  const std::string where = "cannot connect to " + endpoint_text(host, port) + ": ";
  const auto found = listeners_.find(port);
  if (found == listeners_.end()) {
    return on_connect(fail(ErrorKind::unavailable, where + "connection refused"));
  }
  if (found->second->full()) {
    call_after(timeout, [handler = std::move(on_connect), where]() mutable {
      handler(fail(ErrorKind::timeout, where + "no answer in time"));
    });
    return;
  }
  const std::uint16_t client = next_client_;
  next_client_ =
      client + 1 == kFirstFreePort ? kFirstClientPort : static_cast<std::uint16_t>(client + 1);
  StreamPair pair =
      make_named_pair(*this, endpoint_text("127.0.0.1", client), endpoint_text(host, port));
  found->second->arrive(std::move(pair.second));
  on_connect(std::move(pair.first));
}

bool VirtualLoop::run_ready() {
  bool any = false;
  for (bool ran = true; ran && !stopped_;) {
    ran = !posted_.empty();
    std::deque<Task0> tasks = std::exchange(posted_, {});
    for (; !tasks.empty(); tasks.pop_front()) tasks.front()();
    const std::uint64_t order = timers_.order();
    while (auto task = timers_.take_due(now(), order)) {
      ran = true;
      (*task)();
    }
    any = any || ran;
  }
  return any;
}

void VirtualLoop::run() {
  while (!stopped_) {
    if (run_ready()) continue;
    const auto next = timers_.next();
    if (!next) break;
    move_to(*next);
  }
  stopped_ = false;
}

void VirtualLoop::advance(Duration span) {
  const TimePoint target = now() + span;
  while (!stopped_) {
    run_ready();
    const auto next = timers_.next();
    if (stopped_ || !next || *next > target) break;
    move_to(*next);
  }
  if (!std::exchange(stopped_, false)) move_to(target);
}

}  // namespace

std::unique_ptr<SimulatedLoop> SimulatedLoop::make(std::chrono::system_clock::time_point start) {
  return std::make_unique<VirtualLoop>(start);
}

}  // namespace squall::runtime
