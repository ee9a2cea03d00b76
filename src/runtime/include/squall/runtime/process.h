#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"

namespace squall::runtime {

/// How a child ended: exactly one of the two is set.
struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;
  [[nodiscard]] std::string text() const;  ///< "exit code 3", "signal 9 (SIGKILL)"
};

struct ProcessOptions {
  std::vector<std::string> command;  ///< program (searched in PATH) and arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the allow-list
  std::vector<std::string> inherit = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"};
  std::string directory;  ///< "" is ours
};

/// A child process: its standard input and output as one ByteStream, its standard error as another.
///
/// Runs in its own process group and is killed when we die (PR_SET_PDEATHSIG). Destroying a Process
/// kills its group and reaps it; until then a child that has ended keeps its number, so that no
/// stranger can get our signals. PR_SET_PDEATHSIG means the thread: spawn on one that stays.
class Process {
 public:
  virtual ~Process() = default;
  [[nodiscard]] virtual int pid() const = 0;
  [[nodiscard]] virtual ByteStream& stdio() = 0;
  [[nodiscard]] virtual ByteStream& stderr_stream() = 0;
  virtual void signal(int number) = 0;  ///< to the child; nothing when it is over
  /// Calls `handler` once, from the loop, when the child has ended or if it already has. What it
  /// wrote may still be in its streams. Keeps `run` from returning.
  virtual void on_exit(std::move_only_function<void(ExitStatus)> handler) = 0;
};

/// Starts a child; fails when the program cannot be executed.
[[nodiscard]] Result<std::unique_ptr<Process>> spawn(SystemLoop& loop,
                                                     const ProcessOptions& options);

}  // namespace squall::runtime
