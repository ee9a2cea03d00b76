#include <map>
#include <utility>

#include "squall/fault/profile.h"
#include "squall/json/strict.h"

#include "rule_reader.h"

namespace squall::fault {

namespace {

void refuse_doubles(const std::vector<json::StrictNode>& nodes, const std::vector<Rule>& rules) {
  std::map<std::string, std::size_t> ids;
  std::map<std::string, std::size_t> draw_keys;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Rule& rule = rules[i];
    if (rule.id.empty()) continue;
    if (!ids.emplace(rule.id, i).second) {
      nodes[i].complain("another rule has the id " + rule.id +
                        " (left out, it is the kind): give this one an id of its own");
    } else if (!draw_keys.emplace(rule.draw_key, i).second) {
      nodes[i].complain("another rule has the draw key " + rule.draw_key);
    }
  }
}

}  // namespace

Result<Profile> read_profile(std::string file_name, std::string text,
                             const Surroundings& surroundings) {
  SQUALL_TRY(json::StrictFile file, json::StrictFile::parse(std::move(file_name), std::move(text)));
  Profile profile;
  json::StrictObject root(file.root());
  if (const auto version = root.need("squall")) {
    static_cast<void>(version->integer(1, 1));
  }
  profile.name = root.text("name");
  if (const auto note = root.find("note")) profile.note = note->text(0);
  if (const auto seed = root.find("seed")) profile.seed = read_seed(*seed);
  if (const auto scope = root.find("scope")) {
    profile.scope = read_scope(*scope).value_or(Scope::run);
  }
  std::vector<json::StrictNode> nodes;
  if (const auto rules = root.need("rules")) {
    nodes = rules->elements();
    if (nodes.size() > kRulesMax) {
      rules->complain("more than 1000 rules");
      nodes.clear();
    }
  }
  root.finish();
  for (const json::StrictNode& node : nodes) {
    profile.rules.push_back(read_rule(node));
    const Kind* kind = profile.rules.back().kind;
    if (kind == nullptr) continue;
    if (const std::string why = no_meaning(*kind, surroundings); !why.empty()) node.complain(why);
  }
  refuse_doubles(nodes, profile.rules);
  SQUALL_CHECK(file.verdict());
  return profile;
}

}  // namespace squall::fault
