#pragma once

#include <optional>

#include "squall/lab/suite.h"
#include "squall/report/run_report.h"

namespace squall::cli {

/// What a scenario came to, as reports show it; with `timeline`, its case is read for it. `seeds`
/// are those of a sweep.
[[nodiscard]] report::ScenarioReport to_report(
    const lab::Played& played, bool timeline,
    const std::optional<lab::SeedRange>& seeds = std::nullopt);

}  // namespace squall::cli
