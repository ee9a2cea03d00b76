#include "squall/runtime/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "epoll_loop.h"
#include "launch.h"

namespace squall::runtime {
namespace {

class ChildProcess final : public Process, private EventHandler {
 public:
  ChildProcess(EpollLoop& loop, Launched launched, const std::string& name);
  ~ChildProcess() override;

  int pid() const override { return pid_; }
  ByteStream& stdio() override { return *stdio_; }
  ByteStream& stderr_stream() override { return *stderr_; }
  void signal(int number) override;
  void on_exit(std::move_only_function<void(ExitStatus)> handler) override;

 private:
  void on_events(int side, std::uint32_t events) override;
  void on_turn() override { report(); }
  void report();
  void hold(bool wanted);

  EpollLoop& loop_;
  Ticket ticket_;
  int pid_;
  UniqueFd process_;
  std::unique_ptr<ByteStream> stdio_;
  std::unique_ptr<ByteStream> stderr_;
  std::optional<ExitStatus> status_;
  std::move_only_function<void(ExitStatus)> on_exit_;
  bool watched_ = false;
  bool holding_ = false;
};

ExitStatus to_status(const siginfo_t& info) {
  ExitStatus status;
  if (info.si_code == CLD_EXITED) {
    status.code = info.si_status;
  } else {
    status.signal = info.si_status;
  }
  return status;
}

ChildProcess::ChildProcess(EpollLoop& loop, Launched launched, const std::string& name)
    : loop_(loop),
      ticket_(loop.enroll(*this)),
      pid_(launched.pid),
      process_(std::move(launched.process)),
      stdio_(loop.adopt(launched.output.release(), launched.input.release(), name)),
      stderr_(loop.adopt(launched.error.release(), -1, name + " stderr")) {
  watched_ = loop_.watch(ticket_, 0, process_.get(), EPOLLIN);
}

ChildProcess::~ChildProcess() {
  if (watched_) loop_.unwatch(process_.get());
  hold(false);
  loop_.dismiss(ticket_);
  // Not reaped before, so the number still means our child's group and nobody else's.
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ChildProcess::signal(int number) {
  if (status_) return;
  ::syscall(SYS_pidfd_send_signal, process_.get(), number, nullptr, 0);
}

void ChildProcess::on_exit(std::move_only_function<void(ExitStatus)> handler) {
  on_exit_ = std::move(handler);
  hold(true);
  if (status_) loop_.next_turn(ticket_);
}

void ChildProcess::on_events(int, std::uint32_t) {
  siginfo_t info = {};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) == 0) {
    if (info.si_pid == 0) return;
    status_ = to_status(info);
  } else {
    // Somebody else in this process waits for all children: the status is lost, the end is not.
    status_ = ExitStatus{.code = -1, .signal = std::nullopt};
  }
  loop_.unwatch(process_.get());
  watched_ = false;
  report();
}

void ChildProcess::report() {
  hold(false);
  auto handler = std::exchange(on_exit_, nullptr);
  if (handler) handler(*status_);
}

void ChildProcess::hold(bool wanted) {
  if (wanted == holding_) return;
  holding_ = wanted;
  if (wanted) {
    loop_.hold();
  } else {
    loop_.release();
  }
}

}  // namespace

std::string ExitStatus::text() const {
  if (code) return "exit code " + std::to_string(*code);
  if (!signal) return "unknown";
  const std::string number = "signal " + std::to_string(*signal);
  const char* name = ::sigabbrev_np(*signal);
  return name == nullptr ? number : number + " (SIG" + name + ")";
}

Result<std::unique_ptr<Process>> spawn(SystemLoop& loop, const ProcessOptions& options) {
  SQUALL_TRY(Launched launched, launch(options));
  // There is just one kind of SystemLoop.
  return std::make_unique<ChildProcess>(static_cast<EpollLoop&>(loop), std::move(launched),
                                        options.command.front());
}

}  // namespace squall::runtime
