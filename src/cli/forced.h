#pragma once

#include <string>

#include "squall/base/result.h"
#include "squall/fault/profile.h"

namespace squall::cli {

/// `profile` with a rule of that kind in front of all others, whatever it says itself: what
/// `--force KIND --probability P` asks for. A kind that needs settings has those of its example;
/// `probability` is "" for always. Fails on an unknown kind and a text that is no probability.
[[nodiscard]] Result<fault::Profile> force(const fault::Profile& profile, const std::string& kind,
                                           const std::string& probability);

}  // namespace squall::cli
