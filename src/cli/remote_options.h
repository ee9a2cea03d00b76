#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "squall/base/result.h"

#include "command.h"

namespace squall::cli {

/// What the options of the commands about other servers write into.
struct RemoteWords {
  RemoteCommand command;
  std::vector<std::string> places;  ///< TARGET and what follows it
  std::string timeout;
  std::string log_level;
};

/// The options of the one that has the command's name.
void add_remote_options(CLI::App& command, RemoteWords& words);
[[nodiscard]] bool is_remote_command(std::string_view name);
/// Cuts "-- COMMAND ..." off the words of such a command, or of `proxy`, and keeps it.
[[nodiscard]] std::span<const char* const> take_server_command(std::span<const char* const> words,
                                                               RemoteWords& kept,
                                                               std::vector<std::string>& proxied);
/// Puts the words in their places; the error says what is missing.
[[nodiscard]] Result<Command> finish_remote_command(const std::string& name, RemoteWords& words);

}  // namespace squall::cli
