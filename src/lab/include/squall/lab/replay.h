#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/cases/divergence.h"
#include "squall/lab/adapter.h"
#include "squall/lab/runner.h"
#include "squall/recording/case_reader.h"

/// @file A recorded run, once more.

namespace squall::lab {

enum class ReplayMode : std::uint8_t {
  decide,  ///< against the target, its faults decided again by profile and seed
  pinned,  ///< against the target, with the recorded strikes as a schedule
  sealed,  ///< without a target: the clean answers are those of the case
};

struct ReplayOptions {
  ReplayMode mode = ReplayMode::decide;
  std::string target_file{};  ///< in place of the recorded target; "": that
  bool strict = false;        ///< times count as well
  /// Sealed: a request that the case doesn't have goes to the target; else it gets an error.
  bool pass_unrecorded = false;
  Environment environment{};
};

struct Replayed {
  std::optional<cases::Divergence> divergence{};
  std::uint64_t messages = 0;  ///< that the client sent
  std::uint64_t decisions = 0;
  std::uint64_t unrecorded = 0;    ///< requests that the case doesn't have
  std::string first_unrecorded{};  ///< what the first of them asked for
  bool by_scenario = false;        ///< else the recorded messages were sent again
  std::optional<Judgement> verdict{};
  std::string run_hash{};
};

/// Plays a case again: its scenario, or where it has none the messages of its client. Fails when
/// that can't be done: no scenario and no messages, a target that isn't there.
[[nodiscard]] Result<Replayed> replay(const recording::Case& from, const AdapterRegistry& registry,
                                      const ReplayOptions& options);

/// The faults of a case as its run had them; null without any. `pinned`: as a schedule.
[[nodiscard]] Result<std::shared_ptr<const FaultSetup>> faults_of(const recording::Case& from,
                                                                  bool pinned);

/// The target that a case names.
[[nodiscard]] Result<std::unique_ptr<Target>> target_of(const recording::Case& from,
                                                        const AdapterRegistry& registry,
                                                        const std::string& target_file);

/// The scenario of a case; fails where it has none.
[[nodiscard]] Result<Scenario> scenario_of(const recording::Case& from);

/// Which revision the case's run was to speak.
[[nodiscard]] Protocol protocol_of(const recording::Case& from);

}  // namespace squall::lab
