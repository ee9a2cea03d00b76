#pragma once

#include <cstddef>
#include <string>

#include "squall/base/result.h"
#include "squall/fault/profile.h"
#include "squall/json/value.h"

namespace squall::cli {

/// The text of a file of at most so many MiB.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path,
                                                 std::size_t mebibytes_max = 1);

/// The text of a built-in profile or of a file. Without '/' and '.', `name` is a built-in one's.
[[nodiscard]] Result<std::string> profile_text(const std::string& name);
/// What a name of a profile may lead to.
struct LoadedProfile {
  fault::Profile profile;
  json::Value schedule;  ///< where the file holds one: what cases note in place of the profile
};
[[nodiscard]] Result<LoadedProfile> load_profile_or_schedule(const std::string& name);
/// That profile; a schedule is one whose rules strike at one site each.
[[nodiscard]] Result<fault::Profile> load_profile(const std::string& name);

}  // namespace squall::cli
