#pragma once

#include "squall/lab/suite.h"
#include "squall/report/run_report.h"

namespace squall::cli {

/// What a scenario came to, as reports show it; with `timeline`, its case is read for it.
[[nodiscard]] report::ScenarioReport to_report(const lab::Played& played, bool timeline);

}  // namespace squall::cli
