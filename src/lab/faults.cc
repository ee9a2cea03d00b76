#include <algorithm>
#include <filesystem>
#include <utility>

#include "squall/fault/builtin.h"
#include "squall/fault/schedule.h"
#include "squall/json/strict.h"
#include "squall/json/write.h"
#include "squall/lab/library.h"
#include "squall/lab/runner.h"

/// @file The profile (or schedule) and the seed of a scenario's faults.

namespace squall::lab {

namespace {

Result<std::string> profile_text(const Scenario& scenario, const FaultPlan& plan) {
  if (!plan.rules.is_null()) {
    json::Value own = json::Value::object({{"squall", 1}, {"name", scenario.name}});
    return json::to_string(own.set("rules", plan.rules));
  }
  const std::string& name = plan.profile;
  if (name.find_first_of("/.") == std::string::npos) {
    if (const auto* const builtin = fault::find_builtin_profile(name)) {
      return std::string(builtin->text);
    }
    return fail(ErrorKind::not_found, scenario.file +
                                          ": /faults/profile: no built-in profile is "
                                          "called " +
                                          name);
  }
  return read_file((std::filesystem::path(scenario.file).parent_path() / name).string());
}

}  // namespace

void sort_rules(fault::Profile& profile) {
  std::ranges::stable_sort(profile.rules, {}, &fault::Rule::draw_key);
}

Result<std::shared_ptr<const FaultSetup>> load_faults(const Scenario& scenario,
                                                      std::span<const fault::SeedSource> seeds) {
  if (!scenario.faults) return nullptr;
  const FaultPlan& plan = *scenario.faults;
  SQUALL_TRY(std::string text, profile_text(scenario, plan));
  const std::string file_name = plan.rules.is_null() ? plan.profile : scenario.file + ": /faults";
  auto setup = std::make_shared<FaultSetup>();
  std::vector<fault::SeedSource> sources;
  SQUALL_TRY(auto file, json::StrictFile::parse(file_name, text));
  if (file.root().value().contains("strikes")) {
    setup->schedule = file.root().value();
    SQUALL_TRY(setup->profile, fault::read_schedule(file_name, std::move(text)));
    // Nothing is left to chance but the values that faults make up, which are those of its run.
    if (setup->profile.seed) sources.push_back({"the schedule", setup->profile.seed->decimal()});
  } else {
    SQUALL_TRY(setup->profile, fault::read_profile(file_name, std::move(text)));
  }
  sources.insert(sources.end(), seeds.begin(), seeds.end());
  if (!plan.seed.empty()) sources.push_back({"the scenario", plan.seed});
  if (setup->profile.seed) sources.push_back({"the profile", setup->profile.seed->decimal()});
  SQUALL_TRY(const fault::ChosenSeed chosen, fault::choose_seed(setup->profile, sources));
  setup->seed = chosen.seed;
  setup->seed_from = chosen.from;
  sort_rules(setup->profile);
  return setup;
}

}  // namespace squall::lab
