#include "signal_watch.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "address.h"

namespace squall::runtime {
namespace {

constexpr int kSignalsMax = 65;

/// Signals belong to the process, so this is one table for it. A descriptor, once made, stays open:
/// a handler may be about to write to it on any thread.
struct SignalTable {
  std::mutex mutex;
  std::array<std::atomic<int>, kSignalsMax> descriptors;  // eventfd + 1; 0 is none
  std::array<bool, kSignalsMax> taken = {};               // guarded by mutex
  std::array<struct sigaction, kSignalsMax> before = {};  // guarded by mutex
};
constinit SignalTable table;

extern "C" void squall_note_signal(int signal) {
  const int saved = errno;
  const std::uint64_t one = 1;
  const int fd = table.descriptors[static_cast<std::size_t>(signal)] - 1;
  [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof one);
  errno = saved;
}

}  // namespace

Result<std::unique_ptr<SignalWatch>> SignalWatch::open(EpollLoop& loop, int signal,
                                                       std::move_only_function<void()> handler) {
  const std::string name = "signal " + std::to_string(signal);
  if (signal <= 0 || signal >= kSignalsMax) return fail(ErrorKind::invalid, "no such " + name);
  const auto index = static_cast<std::size_t>(signal);
  const std::scoped_lock lock(table.mutex);
  if (table.taken[index]) return fail(ErrorKind::unavailable, name + " has a handler already");
  if (table.descriptors[index] == 0) {
    const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0)
      return fail(ErrorKind::internal, "cannot watch " + name + ": " + system_text(errno));
    table.descriptors[index] = fd + 1;
  }
  // What arrived for a handler before us is not ours.
  std::uint64_t stale = 0;
  [[maybe_unused]] const ssize_t got = ::read(table.descriptors[index] - 1, &stale, sizeof stale);
  std::unique_ptr<SignalWatch> watch(new SignalWatch(loop, signal, std::move(handler)));
  struct sigaction action = {};
  action.sa_handler = squall_note_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  if (::sigaction(signal, &action, &table.before[index]) != 0) {
    const int error = errno;
    return fail(ErrorKind::invalid, "cannot handle " + name + ": " + system_text(error));
  }
  if (!loop.watch(watch->ticket_, 0, table.descriptors[index] - 1, EPOLLIN)) {
    const int error = errno;
    ::sigaction(signal, &table.before[index], nullptr);
    return fail(ErrorKind::internal, "cannot watch " + name + ": " + system_text(error));
  }
  table.taken[index] = true;
  watch->installed_ = true;
  return watch;
}

SignalWatch::SignalWatch(EpollLoop& loop, int signal, std::move_only_function<void()> handler)
    : loop_(loop), ticket_(loop.enroll(*this)), signal_(signal), handler_(std::move(handler)) {}

SignalWatch::~SignalWatch() {
  loop_.dismiss(ticket_);
  if (!installed_) return;
  const auto index = static_cast<std::size_t>(signal_);
  const std::scoped_lock lock(table.mutex);
  ::sigaction(signal_, &table.before[index], nullptr);
  loop_.unwatch(table.descriptors[index] - 1);
  table.taken[index] = false;
}

void SignalWatch::on_events(int, std::uint32_t) {
  const int fd = table.descriptors[static_cast<std::size_t>(signal_)] - 1;
  std::uint64_t arrivals = 0;
  if (::read(fd, &arrivals, sizeof arrivals) != sizeof arrivals) return;
  // A handler lives as long as the loop, so it cannot vanish in between.
  for (; arrivals > 0; --arrivals) handler_();
}

}  // namespace squall::runtime
