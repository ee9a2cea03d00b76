#include "profile.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "squall/fault/builtin.h"
#include "squall/json/write.h"

#include "fail.h"
#include "profile_file.h"

namespace squall::cli {

namespace {

constexpr std::size_t kNameColumn = 20;

std::string pad(std::string_view text) {
  std::string out(text);
  out.resize(std::max(kNameColumn, text.size() + 1), ' ');
  return out;
}

double probability_of(const fault::Rule& rule) {
  return static_cast<double>(rule.probability.numerator()) /
         static_cast<double>(rule.probability.denominator());
}

/// A rule, and the share of its events at which it wins.
struct Rate {
  const fault::Rule* rule;
  double share;
};

/// Where all rules of a layer or group concern the same events, ties go by rank and name.
std::vector<Rate> effective_rates(const fault::Profile& profile) {
  std::vector<const fault::Rule*> rules;
  for (const fault::Rule& rule : profile.rules) rules.push_back(&rule);
  std::ranges::sort(rules, [](const fault::Rule* a, const fault::Rule* b) {
    return a->rank != b->rank ? a->rank > b->rank : a->draw_key < b->draw_key;
  });
  std::map<std::string, double> left;  // by layer or group
  std::vector<Rate> out;
  for (const fault::Rule* rule : rules) {
    const std::string arena = rule->exclusive.empty()
                                  ? std::string(fault::name_of(rule->kind->layer))
                                  : " " + rule->exclusive;
    double& rest = left.emplace(arena, 1.0).first->second;
    out.push_back({rule, rest * probability_of(*rule)});
    rest *= 1.0 - probability_of(*rule);
  }
  return out;
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%6.2f %%", share * 100.0);
  return text;
}

Exit list(bool as_json, Console& console) {
  json::Value all = json::Value::array();
  std::string text;
  for (const fault::BuiltinProfile& builtin : fault::builtin_profiles()) {
    const auto read = fault::read_profile(std::string(builtin.name), std::string(builtin.text));
    if (!read) return complain(console, read.error());
    text += pad(builtin.name) + read->note + "\n";
    all.push_back(json::Value::object({{"name", builtin.name}, {"note", read->note}}));
  }
  console.out(as_json ? json::to_pretty_string(json::Value::object({{"profiles", all}})) + "\n"
                      : text);
  return Exit::passed;
}

std::string check_text(const fault::Profile& profile) {
  std::string out = profile.name + ": " + std::to_string(profile.rules.size()) + " rules, ";
  out += profile.seed ? "seed " + profile.seed->decimal() + " (" + profile.seed->hex() + ")"
                      : std::string(profile.draws() ? "no seed: one must be given" : "no chance");
  out += "\nsha256 " + fault::hash_of(profile) + "\n";
  if (!profile.rules.empty()) {
    out += "\nHow often each wins, where its layer's rules concern the same events:\n";
  }
  for (const Rate& rate : effective_rates(profile)) {
    out += "  " + pad(rate.rule->id) + percent(rate.share) + "  " +
           std::string(rate.rule->kind->name) + " at " + rate.rule->probability.text() + "\n";
  }
  return out;
}

json::Value check_json(const fault::Profile& profile) {
  json::Value rules = json::Value::array();
  for (const Rate& rate : effective_rates(profile)) {
    json::Value entry = json::Value::object();
    entry.set("id", rate.rule->id).set("fault", rate.rule->kind->name);
    entry.set("probability", rate.rule->probability.text()).set("effective", rate.share);
    rules.push_back(std::move(entry));
  }
  json::Value out = json::Value::object();
  out.set("name", profile.name).set("sha256", fault::hash_of(profile));
  out.set("draws", profile.draws()).set("rules", std::move(rules));
  return out;
}

}  // namespace

Exit profile(const ProfileCommand& command, Console& console) {
  if (command.action == "list") return list(command.json, console);
  const auto text = profile_text(command.profile);
  if (!text) return complain(console, text.error());
  const auto read = command.action == "import" ? fault::import_fault_mcp(command.profile, *text)
                                               : fault::read_profile(command.profile, *text);
  if (!read) return complain(console, read.error());
  if (command.action == "show" && !command.json) {
    console.out(*text);
  } else if (command.action == "check") {
    console.out(command.json ? json::to_pretty_string(check_json(*read)) + "\n"
                             : check_text(*read));
  } else {
    console.out(json::to_pretty_string(fault::to_json(*read)) + "\n");
  }
  return Exit::passed;
}

}  // namespace squall::cli
