#include "run_line.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "squall/fault/profile.h"
#include "squall/json/write.h"

#include "version.h"

namespace squall::cli {
namespace {

std::string word(const char* name, const std::string& value) {
  const bool plain = !value.empty() && std::ranges::all_of(value, [](unsigned char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != '=';
  });
  return std::string(" ") + name + "=" + (plain ? value : json::to_string(json::Value(value)));
}

/// The faults of all scenarios that have some; what differs among them isn't told.
struct Told {
  std::set<std::pair<std::string, std::string>> profiles;  // name and hash
  std::set<std::pair<fault::Seed, std::string>> seeds;     // and where each comes from
};

std::string seed_words(const Told& told, const std::optional<lab::SeedRange>& sweep) {
  if (sweep) {
    const fault::Seed first{sweep->first};
    const fault::Seed last{sweep->last()};
    return word("seeds", first.decimal() + ".." + last.decimal()) +
           word("seeds_hex", first.hex() + ".." + last.hex()) + word("seed_from", "--seeds");
  }
  if (told.seeds.size() > 1) return word("seed", "several");
  const auto& [seed, from] = *told.seeds.begin();
  if (from.empty()) return {};  // nothing is drawn
  return word("seed", seed.decimal()) + word("seed_hex", seed.hex()) + word("seed_from", from);
}

std::string profile_words(const Told& told) {
  if (told.profiles.size() > 1) return word("profiles", std::to_string(told.profiles.size()));
  const auto& [name, hash] = *told.profiles.begin();
  return word("profile", name) + word("profile_sha256", hash);
}

}  // namespace

Result<std::string> running_line(std::span<const lab::Scenario> scenarios,
                                 const lab::AdapterRegistry& registry,
                                 const lab::SuiteOptions& options) {
  std::vector<fault::SeedSource> sources = options.seeds;
  if (options.sweep) sources = {{"--seeds", std::to_string(options.sweep->first)}};
  Told told;
  for (const lab::Scenario& scenario : scenarios) {
    SQUALL_TRY(const auto faults, lab::load_faults(scenario, sources));
    if (!faults) continue;
    told.profiles.emplace(faults->profile.name, fault::hash_of(faults->profile));
    told.seeds.emplace(faults->seed, faults->seed_from);
  }
  const std::uint64_t runs = lab::count_runs(scenarios, options);
  std::string line = "squall " + std::string(kVersion) + " running";
  line += word("scenarios", std::to_string(scenarios.size())) + word("runs", std::to_string(runs));
  if (options.shard.of > 1) {
    line += word("shard",
                 std::to_string(options.shard.number) + "/" + std::to_string(options.shard.of));
  }
  if (!told.profiles.empty()) line += seed_words(told, options.sweep) + profile_words(told);
  line += word("scheme", options.cases.scheme);
  if (scenarios.size() != 1 || runs != 1) return line;
  SQUALL_TRY(const std::string id, lab::case_id_of(scenarios.front(), registry, options));
  return line + word("run", id);
}

}  // namespace squall::cli
