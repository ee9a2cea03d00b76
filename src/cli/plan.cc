#include "plan.h"

#include <vector>

#include "squall/fault/decide.h"
#include "squall/json/write.h"

#include "case_commands.h"
#include "fail.h"
#include "profile_file.h"

namespace squall::cli {

namespace {

std::string plan_line(std::size_t number, const cases::Arrived& arrived,
                      const fault::Decision& decision) {
  const bool call = arrived.what == fault::Arrival::What::call;
  std::string out = std::to_string(number) + " " + line_of(call ? arrived.tool : arrived.method);
  if (!decision.refused.empty()) return out + "  " + decision.refused + "\n";
  if (decision.strikes.empty()) out += "  -";
  for (const fault::Strike& strike : decision.strikes) {
    out += "  " + strike.rule->id;
    if (strike.rule->id != strike.rule->kind->name) {
      out += " (" + std::string(strike.rule->kind->name) + ")";
    }
    if (strike.parameters.size() > 0) out += " " + json::to_string(strike.parameters);
  }
  return out + "\n";
}

}  // namespace

Exit plan(const PlanCommand& command, Console& console) {
  const auto profile = load_profile(command.profile);
  if (!profile) return complain(console, profile.error());
  std::vector<fault::SeedSource> sources;
  if (!command.seed.empty()) sources.push_back({"--seed", command.seed});
  if (profile->seed) sources.push_back({"the profile", profile->seed->decimal()});
  const auto seed = fault::choose_seed(*profile, sources);
  if (!seed) return complain(console, seed.error());
  const auto arrivals = load_arrivals(command.sites);
  if (!arrivals) return complain(console, arrivals.error());

  fault::Decider decider(*profile, seed->seed);
  json::Value decisions = json::Value::array();
  std::size_t number = 0;
  for (const cases::Arrived& arrived : *arrivals) {
    const fault::Decision decision = decider.decide(arrived.view());
    // Calls are taken one after the other: no strike is under way when the next one comes.
    for (const fault::Strike& strike : decision.strikes) decider.finished(*strike.rule);
    ++number;
    if (!command.json) {
      console.out(plan_line(number, arrived, decision));
    } else {
      decisions.push_back(fault::to_json(decision));
    }
  }
  if (command.json) {
    json::Value out = json::Value::object();
    out.set("profile", profile->name).set("sha256", fault::hash_of(*profile));
    out.set("seed", seed->seed.decimal()).set("decisions", std::move(decisions));
    console.out(json::to_pretty_string(out) + "\n");
  }
  return Exit::passed;
}

}  // namespace squall::cli
