#pragma once

#include "squall/json/strict.h"
#include "squall/lab/scenario.h"

/// @file The two forms of a scenario; mistakes are noted in the file.

namespace squall::lab {

[[nodiscard]] Scenario read_simple_scenario(json::StrictFile& file);
[[nodiscard]] Scenario read_full_scenario(json::StrictFile& file);

}  // namespace squall::lab
