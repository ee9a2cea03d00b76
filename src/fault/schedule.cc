#include "squall/fault/schedule.h"

#include "squall/json/parse.h"
#include "squall/json/strict.h"

#include "rule_reader.h"

namespace squall::fault {

namespace {

/// The key that a site is written by: its first word, but for `params`, which is `args` elsewhere.
std::optional<Key> key_of_site(std::string_view site) {
  const auto value = json::parse(site);
  if (!value || value->items().empty()) return std::nullopt;
  const std::string_view word = value->items().front().string();
  if (word == "params") return Key::args;
  if (word == "window" || word == "burst" || word == "run") return std::nullopt;
  return key_of(word);
}

Rule read_strike(const json::StrictNode& node) {
  Rule rule;
  json::StrictObject members(node);
  if (const auto site = members.need("site")) {
    rule.at = site->text();
    if (const auto key = key_of_site(rule.at)) {
      rule.key = *key;
    } else {
      site->expected(R"(a site such as ["args","search",{},1])");
    }
  }
  rule.id = members.text("rule");
  rule.draw_key = rule.id;
  read_projection(members, rule);
  if (const auto group = members.find("exclusive")) rule.exclusive = group->text();
  if (const auto scope = members.find("scope")) rule.scope = read_scope(*scope);
  const auto fault = members.need("fault");
  if (fault) rule.kind = find_kind(fault->text());
  const auto with = members.find("with");
  members.finish();
  if (rule.kind == nullptr) {
    if (fault) fault->expected("a kind of fault, as `squall faults` lists them");
    return rule;
  }
  if (!with) return rule;
  json::StrictObject settings(*with);
  read_settings(settings, *rule.kind, rule.settings, rule.drawn);
  settings.finish();
  if (!rule.drawn.empty()) with->complain("a schedule has nothing left to draw");
  return rule;
}

}  // namespace

Result<Profile> read_schedule(std::string file_name, std::string text) {
  SQUALL_TRY(json::StrictFile file, json::StrictFile::parse(std::move(file_name), std::move(text)));
  Profile out;
  json::StrictObject root(file.root());
  if (const auto version = root.need("squall")) static_cast<void>(version->integer(1, 1));
  out.name = root.text("schedule");
  if (const auto seed = root.need("seed")) out.seed = read_seed(*seed);
  if (const auto scope = root.find("scope")) out.scope = read_scope(*scope).value_or(Scope::run);
  if (const auto strikes = root.need("strikes")) {
    const auto nodes = strikes->elements();
    if (nodes.size() > kStrikesMax) strikes->complain("more than 10000 strikes");
    for (const json::StrictNode& node : nodes) {
      if (out.rules.size() == kStrikesMax) break;
      out.rules.push_back(read_strike(node));
    }
  }
  root.finish();
  SQUALL_CHECK(file.verdict());
  return out;
}

json::Value to_schedule(std::string_view name, Seed seed, std::span<const Strike> strikes,
                        Scope scope) {
  json::Value list = json::Value::array();
  for (const Strike& strike : strikes) {
    const Rule& rule = *strike.rule;
    json::Value entry = json::Value::object();
    entry.set("site", strike.site).set("rule", rule.draw_key).set("fault", rule.kind->name);
    if (rule.projection.mode != Projection::Mode::all) {
      json::Value pointers = json::Value::array();
      for (const json::Pointer& pointer : rule.projection.pointers) {
        pointers.push_back(pointer.text());
      }
      entry.set(rule.projection.mode == Projection::Mode::only ? "only" : "ignore",
                std::move(pointers));
    }
    if (!rule.exclusive.empty()) entry.set("exclusive", rule.exclusive);
    if (rule.scope && *rule.scope != scope) entry.set("scope", name_of(*rule.scope));
    if (strike.parameters.size() > 0) entry.set("with", strike.parameters);
    list.push_back(std::move(entry));
  }
  json::Value out = json::Value::object();
  out.set("squall", 1).set("schedule", name).set("seed", seed.decimal());
  if (scope != Scope::run) out.set("scope", name_of(scope));
  out.set("strikes", std::move(list));
  return out;
}

}  // namespace squall::fault
