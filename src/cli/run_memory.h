#pragma once

#include <set>
#include <span>
#include <string>

#include "squall/lab/suite.h"

namespace squall::cli {

/// Which scenarios didn't pass the last time, noted in the folder of the cases: their files.
/// Nothing when there is no note. Each run replaces what it says of the files it was about.
[[nodiscard]] std::set<std::string> read_not_passed(const std::string& folder);
void note_not_passed(const std::string& folder, std::span<const lab::Played> played);

}  // namespace squall::cli
