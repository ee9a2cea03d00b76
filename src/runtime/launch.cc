#include "launch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <utility>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "address.h"

namespace squall::runtime {
namespace {

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

/// Both ends lie above the standard descriptors, so that the child can put them there in any order.
Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return fail(ErrorKind::internal, "cannot make a pipe: " + system_text(errno));
  }
  Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  for (UniqueFd* end : {&pipe.read, &pipe.write}) {
    if (end->get() > STDERR_FILENO) continue;
    const int higher = ::fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher < 0) {
      return fail(ErrorKind::internal, "cannot make a pipe: " + system_text(errno));
    }
    end->reset(higher);
  }
  return pipe;
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

Result<void> check(const ProcessOptions& options) {
  if (options.command.empty() || options.command.front().empty()) {
    return fail(ErrorKind::invalid, "the command is empty");
  }
  if (std::ranges::any_of(options.command, has_nul) || has_nul(options.directory)) {
    return fail(ErrorKind::invalid, "the command contains a NUL byte");
  }
  for (const auto& [name, value] : options.environment) {
    if (name.empty() || name.find('=') != std::string::npos || has_nul(name) || has_nul(value)) {
      return fail(ErrorKind::invalid, "\"" + name + "\" cannot be set in an environment");
    }
  }
  return {};
}

std::vector<std::string> make_environment(const ProcessOptions& options) {
  std::map<std::string, std::string> chosen;
  for (const std::string& name : options.inherit) {
    if (const char* value = std::getenv(name.c_str())) chosen[name] = value;
  }
  for (const auto& [name, value] : options.environment) chosen[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : chosen) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& lines) {
  std::vector<char*> pointers;
  for (std::string& line : lines) pointers.push_back(line.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything the child needs, made before the fork: after it, nothing may allocate.
struct ChildPlan {
  char* const* arguments;
  char* const* environment;
  const char* directory;  // null: ours
  int input, output, error, report;
  pid_t parent;
};

void reset_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// In the child: becomes the program, or reports the errno. Calls only what is safe after a fork.
[[noreturn]] void become(const ChildPlan& plan) {
  const auto attempt = [&] {
    if (::setpgid(0, 0) != 0) return;
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
    // Our parent may have died before the line above.
    if (::getppid() != plan.parent) ::_exit(127);
    if (::dup2(plan.input, STDIN_FILENO) < 0) return;
    if (::dup2(plan.output, STDOUT_FILENO) < 0) return;
    if (::dup2(plan.error, STDERR_FILENO) < 0) return;
    // Other libraries may have left descriptors open for any child to inherit.
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (plan.directory != nullptr && ::chdir(plan.directory) != 0) return;
    reset_signals();
    ::execvpe(plan.arguments[0], plan.arguments, plan.environment);
  };
  attempt();
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(plan.report, &error, sizeof error);
  ::_exit(127);
}

/// Forks with all signals blocked, so that none of our handlers runs in the child.
pid_t fork_into(const ChildPlan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) become(plan);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// The errno the child reports, or 0 when the pipe closed because the program runs.
int read_report(int fd) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(fd, &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

}  // namespace

Result<Launched> launch(const ProcessOptions& options) {
  SQUALL_CHECK(check(options));
  SQUALL_TRY(Pipe input, make_pipe());
  SQUALL_TRY(Pipe output, make_pipe());
  SQUALL_TRY(Pipe error, make_pipe());
  SQUALL_TRY(Pipe report, make_pipe());
  std::vector<std::string> command = options.command;
  std::vector<std::string> environment = make_environment(options);
  const std::vector<char*> arguments = pointers_to(command);
  const std::vector<char*> variables = pointers_to(environment);
  const char* directory = options.directory.empty() ? nullptr : options.directory.c_str();
  const std::string failure = "cannot start " + command.front() + ": ";
  const ChildPlan plan{arguments.data(),   variables.data(),  directory,          input.read.get(),
                       output.write.get(), error.write.get(), report.write.get(), ::getpid()};
  const pid_t pid = fork_into(plan);
  if (pid < 0) return fail(ErrorKind::internal, failure + system_text(errno));
  report.write.reset();
  if (const int number = read_report(report.read.get()); number != 0) {
    reap(pid);
    const bool missing = number == ENOENT || number == ENOTDIR;
    return fail(missing ? ErrorKind::not_found : ErrorKind::unavailable,
                failure + system_text(number));
  }
  Launched launched{pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
                    std::move(input.write), std::move(output.read), std::move(error.read)};
  if (!launched.process.valid()) {
    const int number = errno;
    ::kill(-pid, SIGKILL);
    reap(pid);
    return fail(ErrorKind::internal, failure + system_text(number));
  }
  return launched;
}

}  // namespace squall::runtime
