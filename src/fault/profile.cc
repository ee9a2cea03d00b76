#include "squall/fault/profile.h"

#include <algorithm>
#include <array>

#include "squall/base/assert.h"
#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/json/canonical.h"

namespace squall::fault {

namespace {

constexpr std::array<std::string_view, 4> kScopes = {"run", "session", "connection", "process"};
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

json::Value texts(const std::vector<std::string>& list) {
  json::Value out = json::Value::array();
  for (const std::string& text : list) out.push_back(text);
  return out;
}

json::Value numbers(const std::vector<std::uint64_t>& list) {
  json::Value out = json::Value::array();
  for (const std::uint64_t number : list) out.push_back(number);
  return out;
}

json::Value to_json(const When& when) {
  json::Value out = json::Value::object();
  if (!when.tools.empty()) out.set("tool", texts(when.tools));
  if (!when.methods.empty()) out.set("method", texts(when.methods));
  if (!when.sessions.empty()) out.set("session", texts(when.sessions));
  if (!when.revisions.empty()) out.set("revision", texts(when.revisions));
  if (when.transport) {
    out.set("transport", *when.transport == Transport::http ? "http" : "stdio");
  }
  if (when.direction) out.set("direction", *when.direction);
  if (!when.arguments.empty()) {
    std::vector<json::Member> members;
    for (const auto& [pointer, glob] : when.arguments) members.emplace_back(pointer.text(), glob);
    out.set("arguments", json::Value::from_members(std::move(members)));
  }
  return out;
}

void add_triggers(json::Value& out, const Triggers& triggers) {
  if (!triggers.attempts.empty()) out.set("attempts", numbers(triggers.attempts));
  if (!triggers.calls.empty()) out.set("calls", numbers(triggers.calls));
  if (triggers.every) out.set("every", *triggers.every);
  if (triggers.after) out.set("after", *triggers.after);
  if (triggers.until) out.set("until", *triggers.until);
}

void add_shape(json::Value& out, const Rule& rule) {
  if (rule.burst) {
    json::Value burst = json::Value::object();
    burst.set("min", rule.burst->shortest).set("max", rule.burst->longest);
    if (rule.whole_server) burst.set("server", true);
    out.set("burst", std::move(burst));
  }
  if (rule.window != 0) {
    json::Value window = json::Value::object();
    window.set("length", rule.window);
    if (rule.whole_server) window.set("server", true);
    out.set("window", std::move(window));
  }
  json::Value budget = json::Value::object();
  if (rule.budget.strikes) budget.set("strikes", *rule.budget.strikes);
  if (rule.budget.concurrent) budget.set("concurrent", *rule.budget.concurrent);
  if (budget.size() > 0) out.set("budget", std::move(budget));
  if (rule.arm) out.set("arm", rule.arm->text());
}

json::Value to_json(const Rule& rule) {
  json::Value out = json::Value::object();
  out.set("id", rule.id).set("fault", rule.kind->name);
  if (rule.draw_key != rule.id) out.set("draw_key", rule.draw_key);
  if (!rule.title.empty()) out.set("title", rule.title);
  if (!rule.note.empty()) out.set("note", rule.note);
  for (const json::Member& setting : rule.settings.members()) {
    out.set(setting.name(), setting.value);
  }
  out.set("probability", rule.probability.text());
  if (rule.window == 0) out.set("key", name_of(rule.key));
  if (rule.projection.mode != Projection::Mode::all) {
    std::vector<std::string> pointers;
    for (const json::Pointer& pointer : rule.projection.pointers) {
      pointers.push_back(pointer.text());
    }
    out.set(rule.projection.mode == Projection::Mode::only ? "only" : "ignore", texts(pointers));
  }
  if (rule.rank != 0) out.set("rank", rule.rank);
  if (!rule.exclusive.empty()) out.set("exclusive", rule.exclusive);
  if (rule.scope) out.set("scope", name_of(*rule.scope));
  if (json::Value when = to_json(rule.when); when.size() > 0) out.set("when", std::move(when));
  add_triggers(out, rule.triggers);
  add_shape(out, rule);
  return out;
}

}  // namespace

std::string_view name_of(Scope scope) noexcept { return kScopes[static_cast<std::size_t>(scope)]; }

bool Rule::draws() const {
  return probability.is_chance() || !drawn.empty() || kind->draws || burst.has_value() ||
         (arm && arm->is_chance());
}

bool Profile::draws() const { return std::ranges::any_of(rules, &Rule::draws); }

const Rule* Profile::find(std::string_view id) const {
  const auto at = std::ranges::find(rules, id, &Rule::id);
  return at == rules.end() ? nullptr : &*at;
}

json::Value to_json(const Profile& profile) {
  json::Value out = json::Value::object();
  out.set("squall", 1).set("name", profile.name);
  if (!profile.note.empty()) out.set("note", profile.note);
  if (profile.seed) out.set("seed", profile.seed->decimal());
  out.set("scope", name_of(profile.scope));
  std::vector<const Rule*> sorted;
  for (const Rule& rule : profile.rules) sorted.push_back(&rule);
  std::ranges::sort(sorted, {}, [](const Rule* rule) { return rule->draw_key; });
  json::Value rules = json::Value::array();
  for (const Rule* rule : sorted) rules.push_back(to_json(*rule));
  out.set("rules", std::move(rules));
  return out;
}

std::string hash_of(const Profile& profile) {
  const auto text = json::canonical(to_json(profile));
  // The reader has refused what has no canonical form.
  SQUALL_ASSERT(text.has_value());
  const base::Sha256 digest = base::sha256(*text);
  return base::hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

Result<ChosenSeed> choose_seed(const Profile& profile, std::span<const SeedSource> sources) {
  std::optional<ChosenSeed> chosen;
  for (const SeedSource& source : sources) {
    if (!source.text) continue;
    const auto seed = Seed::parse(*source.text);
    if (!seed) return fail(ErrorKind::invalid, source.where + ": " + seed.error().message);
    if (!chosen) {
      chosen = ChosenSeed{*seed, source.where, {}};
    } else if (*seed != chosen->seed) {
      chosen->conflicts +=
          (chosen->conflicts.empty() ? "" : ", ") + source.where + " says " + seed->decimal();
    }
  }
  if (chosen) return *chosen;
  if (!profile.draws()) return ChosenSeed{};
  return fail(
      ErrorKind::invalid,
      "profile " + profile.name +
          " draws, and no seed is given: set `seed` in it, "
          "SQUALL_SEED, or --seed N (--seed random takes one from the system and tells it)");
}

std::string time_text(std::chrono::nanoseconds time) {
  const std::int64_t count = time.count();
  std::string out = std::to_string(count / kNanosecondsPerMillisecond);
  if (const std::int64_t rest = count % kNanosecondsPerMillisecond; rest != 0) {
    std::string decimals = std::to_string(kNanosecondsPerMillisecond + rest).substr(1);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    out += "." + decimals;
  }
  return out + "ms";
}

std::string size_text(std::uint64_t bytes) { return std::to_string(bytes) + "b"; }

}  // namespace squall::fault
