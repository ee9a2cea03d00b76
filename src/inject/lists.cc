// Faults of catalogues: one decision for each entry of a list, and one for each that isn't there.
#include <algorithm>
#include <array>

#include "reply.h"
#include "state.h"

namespace squall::inject {

using fault::Arrival;

namespace {

constexpr std::size_t kEntriesMax = 10'000;  // of one list; those behind are left alone

struct Listed {
  std::string_view member;
  std::string_view name;
};
constexpr auto kListed = std::to_array<Listed>({{"tools", "name"},
                                                {"prompts", "name"},
                                                {"resources", "uri"},
                                                {"resourceTemplates", "uriTemplate"}});

const Listed* listed_in(const json::Value& result) {
  const auto* at = std::ranges::find_if(
      kListed, [&result](const Listed& one) { return result.contains(one.member); });
  return at == kListed.end() ? nullptr : at;
}

}  // namespace

void Injector::State::apply_entries(Turn& turn, Ongoing& ongoing) {
  if (!turn.out.main) return;
  auto whole = parse_message(*turn.out.main->bytes);
  json::Value* result = whole ? whole->find("result") : nullptr;
  const Listed* listed = result == nullptr ? nullptr : listed_in(*result);
  if (listed == nullptr) return;
  std::vector<std::optional<json::Value>> entries;
  for (const json::Value& entry : result->find(listed->member)->items())
    entries.emplace_back(entry);
  const std::size_t there = std::min(entries.size(), kEntriesMax);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < there; ++i) {
    names.emplace_back(entries[i]->find_string(listed->name).value_or(""));
  }
  for (const fault::Rule& rule : profile->rules) {
    if (rule.kind->name != "extra-tool" || ongoing.method != "tools/list") continue;
    const std::string name(rule.settings.find_string("name").value_or(""));
    if (std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(names.size() - 1), std::nullopt);
  }
  bool changed = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Arrival arrival;
    arrival.what = Arrival::What::entry;
    arrival.method = ongoing.method;
    arrival.entry = names[i];
    arrival.session = ongoing.session;
    arrival.revision = ongoing.revision;
    arrival.transport = ongoing.transport;
    const fault::Decision decision = decide(arrival);
    if (!decision.strikes.empty()) note_decision(turn, ongoing.number, decision);
    for (Struck& strike : take_strikes(decision)) {
      Entry entry{names[i], std::move(entries[i]), result};
      Scene scene(seed, strike, ongoing, turn.out, shared_, turn.now);
      scene.entry = &entry;
      if (strike.fault->on_entry != nullptr) strike.fault->on_entry(scene);
      entries[i] = std::move(entry.value);
      if (strike.acted) {
        changed = true;
        ++fired[strike.rule->id];
      } else {
        const std::string& why = scene.why_noop();
        note_noop(turn, strike, ongoing.number, why.empty() ? "nothing to change" : why);
      }
      free_place(profile, strike.rule);
    }
  }
  if (!changed) return;
  std::vector<json::Value> kept;
  for (std::optional<json::Value>& entry : entries) {
    if (entry) kept.push_back(*std::move(entry));
  }
  result->set(listed->member, json::Value::from_items(std::move(kept)));
  Send& main = *turn.out.main;
  main.bytes = write_like(*main.bytes, *whole);
  if (main.delivery == recording::Delivery::unchanged) {
    main.delivery = recording::Delivery::changed;
  }
  turn.acted = true;
}

void Injector::State::use_own_name(Turn& turn, const std::string& name) {
  auto whole = parse_message(*turn.out.main->bytes);
  json::Value* params = whole ? whole->find("params") : nullptr;
  if (params == nullptr) return;
  params->set("name", name);
  Send& main = *turn.out.main;
  main.bytes = write_like(*main.bytes, *whole);
  main.delivery = recording::Delivery::changed;
  main.set_headers.emplace_back("Mcp-Name", name);
  turn.acted = true;
}

}  // namespace squall::inject
