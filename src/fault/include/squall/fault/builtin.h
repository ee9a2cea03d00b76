#pragma once

#include <span>
#include <string>
#include <string_view>

#include "squall/fault/profile.h"

namespace squall::fault {

/// A profile that comes with Squall: a file of `profiles/`.
struct BuiltinProfile {
  std::string_view name;
  std::string_view text;
};
/// By name.
[[nodiscard]] std::span<const BuiltinProfile> builtin_profiles() noexcept;
[[nodiscard]] const BuiltinProfile* find_builtin_profile(std::string_view name) noexcept;

/// Converts a profile of fault-mcp: the same kinds, rates and first-match exclusivity, but not the
/// same strikes, since the draws are others. Fails with every part that has no counterpart.
[[nodiscard]] Result<Profile> import_fault_mcp(std::string file_name, std::string text);

}  // namespace squall::fault
