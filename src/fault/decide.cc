#include "squall/fault/decide.h"

#include <algorithm>
#include <array>

#include "squall/base/assert.h"
#include "squall/base/text.h"
#include "squall/json/canonical.h"
#include "squall/json/write.h"

#include "counters.h"

namespace squall::fault {

namespace {

using What = Arrival::What;

constexpr std::array<std::string_view, 9> kOutcomes = {"elsewhere", "unmatched", "untriggered",
                                                       "unkeyable", "unarmed",   "missed",
                                                       "exhausted", "shadowed",  "won"};
constexpr std::string_view kRunSite = "[\"run\"]";

bool is_client_message(What what) { return what == What::call || what == What::message; }

/// Whether `names`, globs with spaces between, has one that matches.
bool any_of_globs(std::string_view names, std::string_view text) {
  while (!names.empty()) {
    const std::size_t space = names.find(' ');
    if (matches_glob(names.substr(0, space), text)) return true;
    if (space == std::string_view::npos) return false;
    names.remove_prefix(space + 1);
  }
  return false;
}

/// Whether events of this kind have a site for the rule, and its methods are meant.
bool concerns(const Rule& rule, const Arrival& arrival) {
  switch (rule.key) {
    case Key::connection:
      return arrival.what == What::connection;
    case Key::stream:
      return arrival.what == What::stream;
    case Key::spawn:
      return arrival.what == What::spawn;
    case Key::session:
      return arrival.what == What::session;
    case Key::catalogue:
      if (arrival.what != What::entry) return false;
      // The entry that it concerns is the one that isn't there.
      if (rule.kind->name == "extra-tool" &&
          rule.settings.find_string("name") != arrival.entry) {
        return false;
      }
      break;
    case Key::server_params:
    case Key::server_method:
      if (arrival.what != What::server_message) return false;
      break;
    case Key::record:
    case Key::window:
      return arrival.what == What::call;
    case Key::args:
    case Key::call:
    case Key::method:
      if (!is_client_message(arrival.what)) return false;
      break;
  }
  if (!rule.when.methods.empty() || !rule.at.empty()) return true;  // `when`, or the site, decides
  const std::string_view methods = rule.kind->methods;
  return methods.empty() ? arrival.what == What::call || arrival.what == What::entry ||
                               arrival.what == What::server_message
                         : any_of_globs(methods, arrival.method);
}

bool any_matches(const std::vector<std::string>& globs, std::string_view text) {
  bool wanted = false;
  bool found = false;
  for (const std::string& glob : globs) {
    if (glob.starts_with('!')) {
      if (matches_glob(std::string_view(glob).substr(1), text)) return false;
      continue;
    }
    wanted = true;
    found = found || matches_glob(glob, text);
  }
  return found || !wanted;
}

bool argument_matches(const json::Value* arguments, const json::Pointer& pointer,
                      std::string_view glob) {
  const json::Value* value = arguments == nullptr ? nullptr : pointer.find(*arguments);
  if (value == nullptr) return false;
  if (value->is_string()) return matches_glob(glob, value->string());
  if (value->is_array() || value->is_object()) return false;
  const auto text = json::canonical(*value);
  return text && matches_glob(glob, *text);
}

bool matches(const When& when, const Arrival& arrival) {
  const std::string_view tool = arrival.what == What::entry ? arrival.entry : arrival.tool;
  if (!when.tools.empty() && (tool.empty() || !any_matches(when.tools, tool))) return false;
  if (!any_matches(when.methods, arrival.method)) return false;
  if (!any_matches(when.sessions, arrival.session)) return false;
  if (!any_matches(when.revisions, arrival.revision)) return false;
  if (when.direction && *when.direction != arrival.direction) return false;
  if (when.transport && arrival.transport != Transport::any &&
      *when.transport != arrival.transport) {
    return false;
  }
  return std::ranges::all_of(when.arguments, [&arrival](const auto& part) {
    return argument_matches(arrival.arguments, part.first, part.second);
  });
}

/// The numbers that one rule sees.
struct Seen {
  std::uint64_t ordinal;
  std::uint64_t of_method;
  std::uint64_t of_all;
  std::uint64_t attempt;
};

std::string_view why_untriggered(const Triggers& triggers, const Seen& seen) {
  const std::uint64_t n = seen.ordinal;
  if (!triggers.attempts.empty() && !std::ranges::binary_search(triggers.attempts, seen.attempt)) {
    return "another attempt";
  }
  if (!triggers.calls.empty() && !std::ranges::binary_search(triggers.calls, n)) {
    return "another call";
  }
  if (triggers.every && n % *triggers.every != 0) return "not one of `every`";
  if (triggers.after && n <= *triggers.after) return "not yet `after`";
  if (triggers.until && n > *triggers.until) return "past `until`";
  return {};
}

/// Puts a site together: `["call","search",70]`.
class SiteText {
 public:
  explicit SiteText(std::string_view key) { json::write_string(text_, key); }
  SiteText& name(std::string_view name) {
    text_ += ',';
    json::write_string(text_, name);
    return *this;
  }
  SiteText& number(std::uint64_t number) { return raw(std::to_string(number)); }
  SiteText& reserve(std::size_t bytes) {
    text_.reserve(bytes);
    return *this;
  }
  SiteText& raw(std::string_view json) {
    text_.append(",").append(json);
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(text_) + "]"; }

 private:
  std::string text_ = "[";
};

/// One event being decided.
class Deciding {
 public:
  Deciding(Seed seed, const Arrival& arrival, ProjectedArguments& arguments)
      : seed_(seed), arrival_(arrival), arguments_(arguments) {}

  /// Asks the rule's coin, as far as there is reason to.
  Considered consider(const Rule& rule, const Seen& seen) {
    Considered out;
    out.rule = &rule;
    if (!concerns(rule, arrival_)) return out;
    out.outcome = Outcome::unmatched;
    if (!matches(rule.when, arrival_)) return out;
    if (needs_arguments(rule) && arguments_.text(rule.projection).empty()) {
      out.outcome = Outcome::unkeyable;
      out.why = arguments_.why();
      return out;
    }
    out.outcome = Outcome::untriggered;
    out.why = why_untriggered(rule.triggers, seen);
    if (!out.why.empty()) return out;
    out.outcome = Outcome::unarmed;
    if (rule.arm && !strikes(draw(seed_, rule.draw_key, kRunSite, "arm"), *rule.arm)) return out;
    out.site = site(rule, seen);
    if (out.site.empty()) {
      out.outcome = Outcome::unkeyable;
      out.why = arguments_.why();
      return out;
    }
    if (!rule.at.empty() && rule.at != out.site) {
      out.outcome = Outcome::missed;
      return out;
    }
    out.outcome = toss(rule, seen, out) ? Outcome::won : Outcome::missed;
    return out;
  }

  Strike strike(const Considered& considered, const Seen& seen) {
    const Rule& rule = *considered.rule;
    Strike out;
    out.rule = &rule;
    const bool shaped = rule.burst.has_value() || rule.window != 0;
    out.site = shaped ? params_site(rule, seen) : considered.site;
    out.parameters = resolve(rule, Draws{seed_, rule.draw_key, out.site});
    return out;
  }

 private:
  [[nodiscard]] bool needs_arguments(const Rule& rule) const {
    const bool message = is_client_message(arrival_.what) || arrival_.what == What::server_message;
    const bool by_key = rule.key == Key::args || rule.key == Key::record ||
                        rule.key == Key::server_params || rule.key == Key::window;
    return message && (by_key || rule.burst.has_value() || !rule.triggers.attempts.empty());
  }

  [[nodiscard]] std::optional<std::string_view> counted(const Rule& rule) const {
    return rule.whole_server ? std::nullopt : std::optional(arrival_.tool);
  }

  bool toss(const Rule& rule, const Seen& seen, Considered& out) {
    if (rule.burst) {
      const std::uint64_t ordinal = rule.whole_server ? seen.of_all : seen.ordinal;
      return burst_is_on(seed_, rule.draw_key, *rule.burst, counted(rule), ordinal);
    }
    if (!rule.probability.is_chance()) return rule.probability.numerator() != 0;
    out.bits = draw(seed_, rule.draw_key, out.site, "fire");
    return strikes(*out.bits, rule.probability);
  }

  std::string site(const Rule& rule, const Seen& seen) {
    if (rule.burst) {
      SiteText text("burst");
      if (rule.whole_server) return text.raw("null").number(seen.of_all).take();
      return text.name(arrival_.tool).number(seen.ordinal).take();
    }
    switch (rule.key) {
      case Key::window: {
        SiteText text("window");
        const std::uint64_t n = rule.whole_server ? seen.of_all : seen.ordinal;
        if (rule.whole_server) return text.raw("null").number((n - 1) / rule.window).take();
        return text.name(arrival_.tool).number((n - 1) / rule.window).take();
      }
      case Key::args:
      case Key::server_params:
        return params_site(rule, seen);
      case Key::record:
        return SiteText("record").name(arrival_.tool).raw(arguments_.text(rule.projection)).take();
      case Key::call:
        if (arrival_.what != What::call) break;
        return SiteText("call").name(arrival_.tool).number(seen.ordinal).take();
      case Key::method:
      case Key::server_method:
        break;
      case Key::connection:
      case Key::stream:
      case Key::spawn:
      case Key::session:
        return SiteText(name_of(rule.key)).number(seen.ordinal).take();
      case Key::catalogue:
        return SiteText("catalogue").name(arrival_.method).name(arrival_.entry).take();
    }
    const bool server = rule.key == Key::server_method;
    return SiteText(server ? "server-method" : "method")
        .name(arrival_.method)
        .number(seen.of_method)
        .take();
  }

  std::string params_site(const Rule& rule, const Seen& seen) {
    const std::string& text = arguments_.text(rule.projection);
    if (text.empty()) return {};
    // Rules of one projection and scope have one site; most profiles have no other.
    if (made_for_ == &text && made_at_ == seen.attempt) return made_;
    const std::string_view key =
        arrival_.what == What::call
            ? "args"
            : (arrival_.what == What::server_message ? "server-params" : "params");
    const std::string_view name = arrival_.what == What::call ? arrival_.tool : arrival_.method;
    made_ = SiteText(key)
                .reserve(text.size() + name.size() + 40)
                .name(name)
                .raw(text)
                .number(seen.attempt)
                .take();
    made_for_ = &text;
    made_at_ = seen.attempt;
    return made_;
  }

  Seed seed_;
  const Arrival& arrival_;
  ProjectedArguments& arguments_;
  std::string made_;  // the site made last, for which arguments and which attempt
  const std::string* made_for_ = nullptr;
  std::uint64_t made_at_ = 0;
};

/// What rules compete in: their layer, or the group they name.
std::string arena_of(const Rule& rule) {
  return rule.exclusive.empty() ? std::string(name_of(rule.kind->layer)) : " " + rule.exclusive;
}

bool goes_before(const Rule& a, const Rule& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.draw_key < b.draw_key;
}

/// Strikes and places used, by rule.
struct Used {
  std::uint64_t strikes = 0;
  std::uint64_t concurrent = 0;
};

bool has_budget(const Rule& rule, const Used& used) {
  return (!rule.budget.strikes || used.strikes < *rule.budget.strikes) &&
         (!rule.budget.concurrent || used.concurrent < *rule.budget.concurrent);
}

}  // namespace

std::string_view name_of(Outcome outcome) noexcept {
  return kOutcomes[static_cast<std::size_t>(outcome)];
}

Arrival Arrival::of(std::string_view method, const json::Value* params) {
  Arrival out;
  out.method = method;
  out.what = method == "tools/call" ? What::call : What::message;
  if (params != nullptr) {
    out.goes_on = params->contains("inputResponses") || params->contains("requestState");
  }
  out.arguments = params;
  if (out.what != What::call) return out;
  out.arguments = params != nullptr ? params->find("arguments") : nullptr;
  out.tool = params != nullptr ? params->find_string("name").value_or("") : "";
  return out;
}

json::Value resolve(const Rule& rule, const Draws& draws) {
  json::Value out = rule.settings;
  for (const Drawn& drawn : rule.drawn) {
    if (const auto* options = std::get_if<std::vector<Option>>(&drawn.from)) {
      out.set(drawn.setting, (*options)[draws.pick(drawn.setting, *options)].name);
      continue;
    }
    const std::int64_t value =
        sample(std::get<Distribution>(drawn.from), draws.bits(drawn.setting));
    const Setting* setting = rule.kind->find(drawn.setting);
    if (setting->type == Setting::Type::count) {
      out.set(drawn.setting, value);
    } else {
      out.set(drawn.setting, time_text(std::chrono::milliseconds(value)));
    }
  }
  return out;
}

struct Decider::State {
  explicit State(const Profile& profile) : counters(profile), used(profile.rules.size()) {}
  Counters counters;
  std::vector<Used> used;
};

namespace {

std::size_t index_of(const Profile& profile, const Rule& rule) {
  return static_cast<std::size_t>(&rule - profile.rules.data());
}

Seen see(const Rule& rule, const Profile& profile, const AllNumbers& numbers) {
  const bool by_run = rule.key == Key::connection || rule.key == Key::stream ||
                      rule.key == Key::spawn || rule.key == Key::session;
  const Scope scope = by_run ? Scope::run : rule.scope.value_or(profile.scope);
  const ScopeNumbers& of_scope = numbers[static_cast<std::size_t>(scope)];
  return {of_scope.ordinal, of_scope.of_method, of_scope.of_all, of_scope.attempt(rule.projection)};
}

/// Among those that struck, names the winner of each arena and shadows the rest.
template <typename HasBudget>
void settle(std::vector<Considered>& considered, HasBudget&& may_strike) {
  std::vector<Considered*> struck;
  for (Considered& one : considered) {
    if (one.outcome == Outcome::won) struck.push_back(&one);
  }
  std::ranges::sort(struck, [](const Considered* a, const Considered* b) {
    return goes_before(*a->rule, *b->rule);
  });
  std::map<std::string, const Rule*> winners;
  for (Considered* one : struck) {
    const auto winner = winners.find(arena_of(*one->rule));
    if (winner != winners.end()) {
      one->outcome = Outcome::shadowed;
      one->winner = winner->second;
    } else if (!may_strike(*one->rule)) {
      one->outcome = Outcome::exhausted;
    } else {
      winners.emplace(arena_of(*one->rule), one->rule);
    }
  }
}

/// Considers every rule, settles, and draws the parameters of what is to strike.
template <typename SeenBy, typename HasBudget>
Decision decide_all(const Profile& profile, Deciding& deciding, SeenBy&& seen_by,
                    HasBudget&& may_strike) {
  Decision out;
  out.considered.reserve(profile.rules.size());
  for (const Rule& rule : profile.rules) {
    out.considered.push_back(deciding.consider(rule, seen_by(rule)));
  }
  settle(out.considered, may_strike);
  for (const Considered& one : out.considered) {
    if (one.outcome != Outcome::won) continue;
    out.strikes.push_back(deciding.strike(one, seen_by(*one.rule)));
  }
  std::ranges::stable_sort(out.strikes, {}, [](const Strike& s) { return s.rule->kind->layer; });
  return out;
}

}  // namespace

Decider::Decider(const Profile& profile, Seed seed)
    : profile_(profile), seed_(seed), state_(std::make_unique<State>(profile)) {}
Decider::~Decider() = default;

std::size_t Decider::counters() const noexcept { return state_->counters.size(); }

Decision Decider::decide(const Arrival& arrival) {
  ProjectedArguments arguments(arrival);
  const auto numbers = state_->counters.count(arrival, arguments);
  if (!numbers) {
    Decision refused;
    refused.refused = numbers.error().message;
    return refused;
  }
  Deciding deciding(seed_, arrival, arguments);
  Decision out = decide_all(
      profile_, deciding, [&](const Rule& rule) { return see(rule, profile_, *numbers); },
      [&](const Rule& rule) { return has_budget(rule, state_->used[index_of(profile_, rule)]); });
  for (const Strike& strike : out.strikes) {
    Used& used = state_->used[index_of(profile_, *strike.rule)];
    ++used.strikes;
    ++used.concurrent;
  }
  return out;
}

Decision Decider::decide_at(const Arrival& arrival, const Numbers& numbers) const {
  ProjectedArguments arguments(arrival);
  Deciding deciding(seed_, arrival, arguments);
  const Seen seen{numbers.ordinal, numbers.of_method, numbers.of_all, numbers.attempt};
  return decide_all(
      profile_, deciding, [&](const Rule&) { return seen; }, [](const Rule&) { return true; });
}

json::Value Decider::standing() const { return state_->counters.standing(); }

Result<void> Decider::stand_at(const json::Value& standing) {
  return state_->counters.stand_at(standing);
}

void Decider::continue_from(Decider& earlier) {
  state_->counters.continue_from(earlier.state_->counters);
  for (const Rule& rule : profile_.rules) {
    const Rule* same = earlier.profile_.find(rule.id);
    if (same == nullptr) continue;
    // Places are freed by the strikes that took them, which know the earlier rule alone.
    state_->used[index_of(profile_, rule)].strikes =
        earlier.state_->used[index_of(earlier.profile_, *same)].strikes;
  }
}

void Decider::finished(const Rule& rule) {
  Used& used = state_->used[index_of(profile_, rule)];
  SQUALL_ASSERT(used.concurrent > 0);
  --used.concurrent;
}

json::Value to_json(const Decision& decision) {
  json::Value considered = json::Value::array();
  for (const Considered& one : decision.considered) {
    json::Value entry = json::Value::object();
    entry.set("rule", one.rule->id).set("fault", one.rule->kind->name);
    entry.set("outcome", name_of(one.outcome));
    if (!one.site.empty()) entry.set("site", one.site);
    if (one.bits) {
      entry.set("draw", Seed{*one.bits}.hex());
      entry.set("threshold", one.rule->probability.text());
    }
    if (!one.why.empty()) entry.set("why", one.why);
    if (one.winner != nullptr) entry.set("winner", one.winner->id);
    considered.push_back(std::move(entry));
  }
  json::Value strikes = json::Value::array();
  for (const Strike& strike : decision.strikes) {
    json::Value entry = json::Value::object();
    entry.set("rule", strike.rule->id).set("fault", strike.rule->kind->name);
    entry.set("layer", name_of(strike.rule->kind->layer));
    entry.set("site", strike.site).set("with", strike.parameters);
    strikes.push_back(std::move(entry));
  }
  json::Value out = json::Value::object();
  out.set("considered", std::move(considered)).set("strikes", std::move(strikes));
  if (!decision.refused.empty()) out.set("refused", decision.refused);
  return out;
}

}  // namespace squall::fault
