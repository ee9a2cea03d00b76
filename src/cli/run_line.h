#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "squall/lab/suite.h"

namespace squall::cli {

/// The line that a run begins with, for scripts: words "name=value", a value in JSON's quotes where
/// it isn't one plain word. Faults are told of as far as all scenarios have the same.
///
///     squall 0.1.0 running scenarios=1 runs=100 seeds=1..100 seeds_hex=0x1..0x64 seed_from=--seeds
///         profile=lost-write profile_sha256=9f86... scheme=squall-draw-1
[[nodiscard]] Result<std::string> running_line(std::span<const lab::Scenario> scenarios,
                                               const lab::AdapterRegistry& registry,
                                               const lab::SuiteOptions& options);

}  // namespace squall::cli
