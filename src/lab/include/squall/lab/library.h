#pragma once

#include <span>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/lab/scenario.h"

/// @file Scenario files, found and chosen.

namespace squall::lab {

/// The text of a file of at most 1 MiB.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// The scenario files that `words` name, each once: files; folders, with all that they hold and
/// their folders do, in the order of their names; patterns of the shell (`*`, `?`, `[...]`).
/// Fails on a word that names nothing.
[[nodiscard]] Result<std::vector<std::string>> find_files(std::span<const std::string> words);

/// Reads them all, and tells all mistakes of all files. What stands in a folder beside scenarios
/// and is another of our formats (a target, a profile, a client's configuration) is left out.
[[nodiscard]] Result<std::vector<Scenario>> load_scenarios(std::span<const std::string> words);

/// Which scenarios are wanted; what is empty asks for nothing.
struct Selection {
  std::string filter{};             ///< part of the name or the file, or a pattern of either
  std::vector<std::string> tags{};  ///< at least one of these
  [[nodiscard]] bool wants(const Scenario& scenario) const;
};

}  // namespace squall::lab
