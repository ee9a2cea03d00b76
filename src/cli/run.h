#pragma once

#include <span>

#include "squall/base/result.h"
#include "squall/cli/cli.h"

#include "command.h"

namespace squall::cli {

/// `squall run`: 0 all passed, 2 some failed, 3 none failed but some are inconclusive, 1 when
/// something could not be loaded or carried out, or nothing was chosen.
[[nodiscard]] Exit run_scenarios(const RunCommand& command, Console& console);

/// Tells what is wrong with the words of `squall run`, in the form that the words ask for.
Exit refuse_run(std::span<const char* const> words, const Error& error, Console& console);

}  // namespace squall::cli
