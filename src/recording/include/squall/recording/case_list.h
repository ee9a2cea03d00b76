#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "squall/base/result.h"

namespace squall::recording {

/// A case's folder, looked at from outside.
struct CaseFolder {
  std::filesystem::path path;
  std::string started;      ///< as its header says; "" when that can't be read
  std::uint64_t bytes = 0;  ///< of all its files
  std::string trouble;      ///< why its header can't be read, or ""
};

/// The folders `*.case` in `cases`, oldest first (by `started`, then by name). At most 100,000.
[[nodiscard]] Result<std::vector<CaseFolder>> list_cases(const std::filesystem::path& cases);

struct PruneRule {
  std::size_t keep = 100;       ///< this many of the newest stay
  std::uint64_t bytes_max = 0;  ///< and of those, what fits in this; 0: no limit
};

/// What `rule` would remove, oldest first.
[[nodiscard]] std::vector<CaseFolder> pick_to_prune(std::vector<CaseFolder> oldest_first,
                                                    PruneRule rule);

/// Removes a case: the files of the format in a folder `*.case`, and the folder. Fails, and leaves
/// the folder, when it holds anything else.
[[nodiscard]] Result<void> remove_case(const std::filesystem::path& folder);

}  // namespace squall::recording
