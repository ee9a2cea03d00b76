#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "squall/base/result.h"

namespace squall::cli {

/// How a command ended that somebody else wrote.
struct TrialEnd {
  int code = 0;  ///< as a shell has it: 128 and the signal's number, where one ended it
  bool timed_out = false;
  std::string last_words;  ///< the end of what it wrote on stderr
};

/// Runs `command` with these variables and no others, its stdin empty, and waits for its end. What
/// it writes is read and not shown. Fails when it can't be started.
[[nodiscard]] Result<TrialEnd> run_command(
    const std::vector<std::string>& command,
    const std::vector<std::pair<std::string, std::string>>& environment,
    std::chrono::nanoseconds timeout);

}  // namespace squall::cli
