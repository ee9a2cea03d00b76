#pragma once

#include <string>

#include <CLI/App.hpp>

#include "squall/base/result.h"

#include "command.h"

namespace squall::cli {

/// What the options of `squall run` write into.
struct RunWords {
  RunCommand command;
  std::string tags;   ///< "slow,http"
  std::string seeds;  ///< "1..1000"
  std::string shard;  ///< "1/4"
};

void add_run_options(CLI::App& command, RunWords& words);
[[nodiscard]] Result<Command> finish_run_options(RunWords& words);

}  // namespace squall::cli
