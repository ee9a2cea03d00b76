#include "forced.h"

#include <algorithm>
#include <vector>

#include "squall/base/text.h"
#include "squall/fault/catalogue.h"
#include "squall/json/strict.h"
#include "squall/json/write.h"

#include "text.h"

namespace squall::cli {
namespace {

/// Above every rule that a profile may have without saying so.
constexpr std::int64_t kForcedRank = 1000;

Result<const fault::Kind*> kind_of(const std::string& name) {
  if (const fault::Kind* const kind = fault::find_kind(name)) return kind;
  std::vector<std::string> names;
  for (const fault::Kind& known : fault::kinds()) names.emplace_back(known.name);
  std::string message = "no kind of fault is called " + quote(name);
  if (const auto meant = base::nearest(name, names)) {
    message += "; did you mean " + std::string(*meant) + "?";
  }
  return fail(ErrorKind::not_found, std::move(message));
}

/// The kind's settings where it can't do without; they are those of its example.
Result<json::Value> rule_of(const fault::Kind& kind) {
  json::Value rule = json::Value::object();
  bool needs = false;
  for (const fault::Setting& setting : kind.settings) needs |= setting.required;
  if (needs) {
    const std::string text = "{" + std::string(kind.example) + "}";
    SQUALL_TRY(auto example, json::StrictFile::parse("the example.yaml", text));
    rule = example.root().value();
  }
  return rule.set("id", "forced").set("fault", kind.name).set("rank", kForcedRank);
}

}  // namespace

Result<fault::Profile> force(const fault::Profile& profile, const std::string& kind_name,
                             const std::string& probability) {
  SQUALL_TRY(const fault::Kind* const kind, kind_of(kind_name));
  const auto pinned = [](const fault::Rule& rule) { return !rule.at.empty(); };
  if (std::ranges::any_of(profile.rules, pinned)) {
    return fail(ErrorKind::invalid, "--force has no place in front of a schedule");
  }
  SQUALL_TRY(json::Value rule, rule_of(*kind));
  if (!probability.empty()) {
    SQUALL_TRY(const auto read, fault::Probability::parse(probability));
    rule.set("probability", read.text());
  }
  json::Value whole = fault::to_json(profile);
  json::Value rules = json::Value::array();
  rules.push_back(std::move(rule));
  if (const json::Value* const own = whole.find("rules")) {
    for (const json::Value& one : own->items()) rules.push_back(one);
  }
  whole.set("rules", std::move(rules));
  return fault::read_profile("the profile with --force", json::to_string(whole));
}

}  // namespace squall::cli
