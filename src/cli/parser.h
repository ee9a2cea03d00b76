#pragma once

#include <span>

#include "squall/base/result.h"

#include "command.h"
#include "model.h"

namespace squall::cli {

/// Reads a command line. Fails with one line that says what is wrong, and which name was probably
/// meant when one is unknown.
[[nodiscard]] Result<Command> parse_command(std::span<const char* const> words);

/// What can be said on the command line.
[[nodiscard]] CommandModel command_model();

}  // namespace squall::cli
