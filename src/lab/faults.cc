#include <filesystem>
#include <utility>

#include "squall/fault/builtin.h"
#include "squall/lab/library.h"
#include "squall/lab/runner.h"

/// @file The profile and the seed of a scenario's faults.

namespace squall::lab {

namespace {

Result<std::string> profile_text(const Scenario& scenario, const std::string& name) {
  if (name.find_first_of("/.") == std::string::npos) {
    if (const auto* const builtin = fault::find_builtin_profile(name)) {
      return std::string(builtin->text);
    }
    return fail(ErrorKind::not_found, scenario.file + ": /faults/profile: no built-in profile is "
                                                      "called " + name);
  }
  return read_file((std::filesystem::path(scenario.file).parent_path() / name).string());
}

}  // namespace

Result<std::shared_ptr<const FaultSetup>> load_faults(const Scenario& scenario,
                                                      std::span<const fault::SeedSource> seeds) {
  if (!scenario.faults) return nullptr;
  const FaultPlan& plan = *scenario.faults;
  SQUALL_TRY(std::string text, profile_text(scenario, plan.profile));
  auto setup = std::make_shared<FaultSetup>();
  SQUALL_TRY(setup->profile, fault::read_profile(plan.profile, std::move(text)));
  std::vector<fault::SeedSource> sources(seeds.begin(), seeds.end());
  if (!plan.seed.empty()) sources.push_back({"the scenario", plan.seed});
  if (setup->profile.seed) sources.push_back({"the profile", setup->profile.seed->decimal()});
  SQUALL_TRY(const fault::ChosenSeed chosen, fault::choose_seed(setup->profile, sources));
  setup->seed = chosen.seed;
  setup->seed_from = chosen.from;
  return setup;
}

}  // namespace squall::lab
