#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "squall/fault/profile.h"
#include "squall/inject/injector.h"
#include "squall/json/value.h"
#include "squall/lab/adapter.h"
#include "squall/lab/expect.h"
#include "squall/lab/lifecycle.h"
#include "squall/lab/scenario.h"
#include "squall/recording/event.h"
#include "squall/recording/recorder.h"
#include "squall/runtime/loop.h"

/// @file One scenario, run once.

namespace squall::lab {

using recording::Judgement;

/// The faults of a scenario, as they were chosen for a run.
struct FaultSetup {
  fault::Profile profile{};
  fault::Seed seed{};
  std::string seed_from{};  ///< "--seed", "the scenario" ...
  json::Value schedule{};   ///< pinned strikes that stand in for a profile, or null
  json::Value counters{};   ///< what the counters begin with, or null
};

/// Reads the profile of `scenario`: a built-in one's name, or a file from its folder, which may
/// hold a schedule. `seeds` are asked before the scenario's own seed, and that before the
/// profile's; a schedule has its own. Null without faults.
[[nodiscard]] Result<std::shared_ptr<const FaultSetup>> load_faults(
    const Scenario& scenario, std::span<const fault::SeedSource> seeds);

/// Puts rules in the order of the canonical form, in which cases tell of them: that of the file has
/// no meaning, and equal profiles make equal runs.
void sort_rules(fault::Profile& profile);

/// What one step came to.
struct StepResult {
  std::uint32_t number = 0;    ///< in the order of their beginnings, from 1
  const Step* step = nullptr;  ///< of the scenario
  std::string label{};         ///< "call ping", "call ping (2 of 3)"
  Judgement judgement = Judgement::passed;
  Attempt attempt{};
  std::string why{};  ///< why it couldn't be carried out
  runtime::Duration took{};
  std::vector<Finding> findings{};
};

/// What a run came to.
struct RunResult {
  Judgement judgement = Judgement::passed;
  std::string why{};  ///< of what is not passed, where no finding says it
  runtime::Duration took{};
  std::vector<StepResult> steps{};
  std::vector<Finding> findings{};  ///< of the run as a whole
  std::vector<Operation> operations{};
  bool healthy = true;                     ///< every setup, cancellation and cleanup was a success
  Introduction introduction{};             ///< of the first connection
  std::vector<std::string> fired{};        ///< rules that have struck
  std::vector<inject::RuleTally> rules{};  ///< what became of every rule
};

/// Runs `scenario`, which outlives the result, against `target`. Whatever happens is in the result:
/// a target that can't be reached makes a simple scenario `errored` and another `inconclusive`.
///
/// `recorder` gets every event but the last `Exit`; null: nobody wants them. Times are those of
/// `place.loop`, which is run meanwhile.
[[nodiscard]] RunResult run_scenario(const Scenario& scenario, Target& target, const Place& place,
                                     recording::Recorder* recorder = nullptr,
                                     const FaultSetup* faults = nullptr);

/// Runs it on a loop of its own: virtual time, unless the target is external or `real_time` is set.
struct RunOptions {
  bool real_time = false;
  Environment environment{};
  Protocol protocol = Protocol::modern;
  std::shared_ptr<const FaultSetup> faults{};  ///< null: none
};
[[nodiscard]] RunResult run_once(const Scenario& scenario, Target& target,
                                 const RunOptions& options,
                                 recording::Recorder* recorder = nullptr);

/// Which revision a run of `scenario` speaks: what the command line says ("" for nothing), or the
/// scenario, or the target; external targets that leave it open are asked, the built-in server
/// speaks 2026-07-28.
[[nodiscard]] Protocol choose_protocol(const Scenario& scenario, const Target& target,
                                       std::optional<Protocol> wanted);

}  // namespace squall::lab
