#include "plan.h"

#include <algorithm>
#include <vector>

#include "squall/fault/decide.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "fail.h"
#include "profile_file.h"

namespace squall::cli {

namespace {

/// The lines of `text` that aren't empty, each a call.
Result<std::vector<json::Value>> read_calls(const std::string& name, std::string_view text) {
  std::vector<json::Value> out;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto call = json::parse(line);
    const std::string place = name + ":" + std::to_string(number) + ": ";
    if (!call) return fail(ErrorKind::invalid, place + call.error().text());
    if (!call->find_string("tool")) {
      return fail(ErrorKind::invalid, place + "expected {\"tool\": .., \"arguments\": {..}}");
    }
    out.push_back(*call);
  }
  return out;
}

std::string line_of(std::size_t number, const json::Value& call, const fault::Decision& decision) {
  std::string out = std::to_string(number) + " " + std::string(*call.find_string("tool"));
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
  const auto text = read_text_file(command.sites);
  if (!text) return complain(console, text.error());
  const auto calls = read_calls(command.sites, *text);
  if (!calls) return complain(console, calls.error());

  fault::Decider decider(*profile, seed->seed);
  json::Value decisions = json::Value::array();
  std::size_t number = 0;
  for (const json::Value& call : *calls) {
    fault::Arrival arrival;
    arrival.tool = *call.find_string("tool");
    arrival.arguments = call.find("arguments");
    const fault::Decision decision = decider.decide(arrival);
    ++number;
    if (!command.json) {
      console.out(line_of(number, call, decision));
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
