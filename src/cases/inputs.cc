#include "squall/cases/inputs.h"

#include "squall/fault/schedule.h"
#include "squall/json/write.h"

namespace squall::cases {

Result<Inputs> inputs_of(const recording::Header& header) {
  Inputs out;
  const bool faults = !header.profile.is_null() || !header.schedule.is_null();
  if (faults && header.scheme != fault::kScheme) {
    return fail(ErrorKind::invalid, "another scheme decided than " + std::string(fault::kScheme) +
                                        ", the one that is known here");
  }
  out.pinned = !header.schedule.is_null();
  if (out.pinned) {
    SQUALL_TRY(out.profile,
               fault::read_schedule("the case's schedule", json::to_string(header.schedule)));
  } else if (faults) {
    SQUALL_TRY(out.profile,
               fault::read_profile("the case's profile", json::to_string(header.profile)));
  }
  if (header.seed) {
    out.seed = {*header.seed};
  } else if (out.profile.seed) {
    out.seed = *out.profile.seed;
  } else if (out.profile.draws()) {
    return fail(ErrorKind::invalid, "the case's profile draws, and the case has no seed");
  }
  return out;
}

}  // namespace squall::cases
