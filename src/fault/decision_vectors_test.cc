// The golden vectors of what stands on draws: sites, the numbers of arrivals, which rule wins.
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "squall/fault/decide.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::fault {
namespace {

std::span<const json::Value> entries(std::string_view kind, std::size_t count) {
  static const json::Value all = [] {
    std::ifstream file(std::string(SQUALL_SOURCE_DIR) + "/tests/data/decision-vectors.json");
    std::stringstream text;
    text << file.rdbuf();
    return json::parse(text.str()).value_or(json::Value());
  }();
  const json::Value* list = all.find(kind);
  EXPECT_NE(list, nullptr);
  if (list == nullptr) return {};
  EXPECT_EQ(list->size(), count);
  return list->items();
}

std::string text_of(const json::Value& entry, std::string_view name) {
  return std::string(entry.find_string(name).value_or(""));
}

Result<Profile> profile_of(json::Value rules, const std::string& seed) {
  json::Value out = json::Value::object();
  out.set("squall", 1).set("name", "p").set("seed", seed).set("rules", std::move(rules));
  return read_profile("p.json", json::to_string(out));
}

/// Where `rule`'s coin is asked at `arrival`; every rule here strikes.
std::string site_at(const Decision& decision, std::size_t rule = 0) {
  return decision.considered[rule].site;
}

TEST(Vectors, Sites) {
  for (const json::Value& e : entries("site", 128)) {
    json::Value rule = json::Value::object();
    rule.set("fault", "error");
    Arrival arrival;
    json::Value arguments;
    Numbers numbers;
    const std::string tool = text_of(e, e.contains("name") ? "name" : "tool");
    arrival.tool = tool;
    if (text_of(e, "key") == "window") {
      rule.set("window", json::Value::object({{"length", *e.find("length")}}));
      if (e.find("name")->is_null()) rule["window"].set("server", true);
      numbers.ordinal = *e.find("n")->as_uint64();
      numbers.of_all = numbers.ordinal;
    } else {
      for (const char* projection : {"only", "ignore"}) {
        if (e.contains(projection)) rule.set(projection, *e.find(projection));
      }
      arguments = json::parse(text_of(e, "arguments")).value();
      arrival.arguments = &arguments;
      numbers.attempt = *e.find("attempt")->as_uint64();
    }
    const auto profile = profile_of(json::Value::array({rule}), "1");
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(site_at(Decider(*profile, {1}).decide_at(arrival, numbers)), text_of(e, "site"))
        << json::to_string(e);
  }
}

TEST(Vectors, Arrivals) {
  constexpr std::array kRules = {"call", "record", "args", "args only /id", "args ignore /cursor"};
  const auto profile =
      read_profile("p.yaml",
                   "squall: 1\nname: p\nrules:\n"
                   "  - {id: a, fault: error, key: call}\n  - {id: b, fault: error, key: record}\n"
                   "  - {id: c, fault: error}\n  - {id: d, fault: error, only: [/id]}\n"
                   "  - {id: e, fault: error, ignore: [/cursor]}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  for (const json::Value& run : entries("arrivals", 20)) {
    Decider decider(*profile, {1});
    for (const json::Value& e : run.find("arrivals")->items()) {
      const json::Value params = json::parse(text_of(e, "params")).value();
      const Decision decision = decider.decide(Arrival::of("tools/call", &params));
      for (std::size_t i = 0; i < kRules.size(); ++i) {
        EXPECT_EQ(site_at(decision, i), text_of(e, kRules[i])) << json::to_string(e);
      }
    }
  }
}

/// The vectors give a rule the key `args` where it names none, and the tool beside it.
json::Value rule_of(const json::Value& vector) {
  json::Value rule = vector;
  const Kind* kind = find_kind(text_of(vector, "fault"));
  if (!rule.contains("key") && kind != nullptr) rule.set("key", "args");
  // Any kind may stand at a call here, whatever it concerns by itself.
  json::Value when = json::Value::object({{"method", "tools/call"}});
  if (rule.contains("tool")) when.set("tool", *rule.find("tool"));
  rule.erase("tool");
  rule.set("when", std::move(when));
  if (text_of(rule, "fault") == "truncate") rule.set("keep", 8);
  if (text_of(rule, "fault") == "latency") rule.set("delay", "1s");
  if (text_of(rule, "fault") == "http-status") rule.set("status", 503);
  return rule;
}

/// {layer: {winner, shadowed (sorted)}}, compared without regard to order.
json::Value settled(const Decision& decision) {
  json::Value out = json::Value::object();
  for (const Strike& strike : decision.strikes) {
    json::Value shadowed = json::Value::array();
    for (const Considered& one : decision.considered) {
      if (one.winner == strike.rule) shadowed.push_back(one.rule->id);
    }
    json::Value layer = json::Value::object();
    layer.set("winner", strike.rule->id).set("shadowed", std::move(shadowed));
    out.set(name_of(strike.rule->kind->layer), std::move(layer));
  }
  return out;
}

json::Value sorted(json::Value layers) {
  for (json::Member& layer : layers.members()) {
    json::Value& list = *layer.value.find("shadowed");
    std::vector<std::string> names;
    for (const json::Value& name : list.items()) names.emplace_back(name.string());
    std::ranges::sort(names);
    list = json::Value::array();
    for (const std::string& name : names) list.push_back(name);
  }
  return layers;
}

TEST(Vectors, Selection) {
  for (const json::Value& e : entries("select", 120)) {
    json::Value rules = json::Value::array();
    for (const json::Value& rule : e.find("rules")->items()) rules.push_back(rule_of(rule));
    const auto profile =
        profile_of(std::move(rules), e.contains("seed") ? text_of(e, "seed") : "1");
    ASSERT_EQ(profile.has_value(), !e.contains("error"))
        << json::to_string(e) << (profile ? "" : profile.error().message);
    if (!profile) continue;
    const json::Value& call = *e.find("call");
    const json::Value arguments = json::parse(text_of(call, "arguments")).value();
    const std::string tool = text_of(call, "tool");
    Arrival arrival;
    arrival.tool = tool;
    arrival.arguments = &arguments;
    const Numbers numbers{.ordinal = *call.find("n")->as_uint64(),
                          .attempt = *call.find("attempt")->as_uint64()};
    const Decision decision = Decider(*profile, *profile->seed).decide_at(arrival, numbers);
    EXPECT_EQ(sorted(settled(decision)), sorted(*e.find("result"))) << json::to_string(e);
  }
}

}  // namespace
}  // namespace squall::fault
