#pragma once

#include "squall/json/value.h"

namespace squall::fault {

/// The JSON Schema (2020-12) of a profile, so that editors complete and check it. It takes every
/// profile that `read_profile` takes; that two rules have one id, say, only the reader finds.
[[nodiscard]] json::Value profile_schema();

}  // namespace squall::fault
