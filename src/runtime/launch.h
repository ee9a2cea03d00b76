#pragma once

#include "squall/runtime/process.h"

#include "unique_fd.h"

namespace squall::runtime {

/// A child just started, and our ends of its pipes.
struct Launched {
  int pid = -1;
  UniqueFd process;  // pidfd
  UniqueFd input;    // we write
  UniqueFd output;   // we read
  UniqueFd error;    // we read
};

/// Forks and executes; returns once the child runs the program, or could not.
[[nodiscard]] Result<Launched> launch(const ProcessOptions& options);

}  // namespace squall::runtime
