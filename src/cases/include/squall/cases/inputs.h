#pragma once

#include "squall/base/result.h"
#include "squall/fault/profile.h"
#include "squall/recording/header.h"

namespace squall::cases {

/// The faults of a case, read back from its header.
struct Inputs {
  fault::Profile profile;  ///< a schedule's strikes as rules when `pinned`
  fault::Seed seed;
  bool pinned = false;  ///< the run had a schedule in place of a profile
};

/// Fails when the header's profile or schedule doesn't read, when another scheme decided, or when a
/// profile that draws comes without a seed. A case without faults gives a profile without rules.
[[nodiscard]] Result<Inputs> inputs_of(const recording::Header& header);

}  // namespace squall::cases
