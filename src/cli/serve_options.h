#pragma once

#include <span>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "squall/base/result.h"

#include "command.h"

/// @file The options of `squall serve`.

namespace squall::cli {

/// Values that are words on the command line and something else in the command.
struct ServeWords {
  std::string transport = "stdio";
  std::string legacy = "both";
  std::string log_format{};  // "": as the transport has it
  std::string log_level = "info";
  bool verbose = false;
  bool quiet = false;
  std::string tools = "fault";
};

/// The words of `squall serve` without those about faults and about who is told of the start: what
/// the server behind the faults is started with.
[[nodiscard]] std::vector<std::string> without_faults(std::span<const char* const> words);

/// Both are written to while the command line is read, and outlive that.
void add_serve_options(CLI::App& command, ServeCommand& serve, ServeWords& words);
/// Makes the words what they stand for, and checks what the options must keep to together.
[[nodiscard]] Result<void> finish_serve_options(const CLI::App& command, ServeCommand& serve,
                                                const ServeWords& words);

}  // namespace squall::cli
