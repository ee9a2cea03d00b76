#pragma once

#include <string>
#include <vector>

#include "squall/cases/arrivals.h"
#include "squall/cli/cli.h"

#include "command.h"

/// @file The commands that read recorded cases.

namespace squall::cli {

/// 0: every decision is the same here; 2: some differ; 1: not all could be recomputed.
[[nodiscard]] Exit verify(const VerifyCommand& command, Console& console);
[[nodiscard]] Exit explain(const ExplainCommand& command, Console& console);
[[nodiscard]] Exit pin(const PinCommand& command, Console& console);
/// 0: no difference; 2: some; 1: could not be compared.
[[nodiscard]] Exit diff(const DiffCommand& command, Console& console);

/// 0: the same; 2: different; 1: could not be played again.
[[nodiscard]] Exit replay(const ReplayCommand& command, Console& console);
/// 0: a schedule that still fails was printed; 3: it did not fail again; 1: could not be tried.
[[nodiscard]] Exit shrink(const ShrinkCommand& command, Console& console);

/// Whether `name` is a case's folder.
[[nodiscard]] bool is_case(const std::string& name);

/// The calls of a file, a line each ({"tool": .., "arguments": {..}}), or the messages of a case.
[[nodiscard]] Result<std::vector<cases::Arrived>> load_arrivals(const std::string& name);

/// Foreign text on one line without control characters, cut at `bytes_max`.
[[nodiscard]] std::string line_of(std::string_view text, std::size_t bytes_max = 1000);

/// Prints an error as `--json` wants it, or as a line.
[[nodiscard]] Exit refuse(bool as_json, const Error& error, Console& console);

}  // namespace squall::cli
