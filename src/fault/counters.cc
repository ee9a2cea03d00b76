#include "counters.h"

#include <algorithm>

namespace squall::fault {

namespace {

using What = Arrival::What;

// Of how many calls the numbers are known when a further round of them arrives.
constexpr std::size_t kRoundsMax = 10'000;

/// What of a message's params isn't part of what it asks for.
json::Value params_for_site(const json::Value& params) {
  if (!params.is_object()) return params;
  std::vector<json::Member> kept;
  for (const json::Member& member : params.members()) {
    const std::string_view name = member.name();
    if (name == "_meta" || name == "inputResponses" || name == "requestState") continue;
    kept.push_back(member);
  }
  return json::Value::from_members(std::move(kept));
}

/// A key that cannot be taken for another: every part with its length.
std::string key_of_parts(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size() + 6;
  std::string key;
  key.reserve(size);
  for (const std::string_view part : parts) {
    key.append(std::to_string(part.size())).append(":").append(part);
  }
  return key;
}

std::string_view what_name(What what) {
  switch (what) {
    case What::connection:
      return "connection";
    case What::stream:
      return "stream";
    case What::spawn:
      return "spawn";
    case What::session:
      return "session";
    case What::server_message:
      return "server";
    case What::call:
    case What::message:
    case What::entry:
      break;
  }
  return "client";
}

bool is_message(What what) {
  return what == What::call || what == What::message || what == What::server_message;
}

std::string_view scope_id(const Arrival& arrival, Scope scope) {
  switch (scope) {
    case Scope::session:
      return arrival.session;
    case Scope::connection:
      return arrival.connection;
    case Scope::process:
      return arrival.process;
    case Scope::run:
      break;
  }
  return {};
}

}  // namespace

ProjectedArguments::ProjectedArguments(const Arrival& arrival)
    : arguments_(arrival.arguments != nullptr ? arrival.arguments : &own_),
      why_(arrival.unkeyable) {
  if (arrival.what == What::call || arrival.arguments == nullptr) return;
  own_ = params_for_site(*arrival.arguments);
  arguments_ = &own_;
}

const std::string& ProjectedArguments::text(const Projection& projection) {
  static const std::string none;
  if (!why_.empty()) return none;
  std::string identity = projection.identity();
  const auto at = std::ranges::find(made_, identity, &Made::identity);
  if (at != made_.end()) return at->text;
  // What the projection drops must have a canonical form too: the event is keyable or it isn't.
  if (made_.empty() && projection.mode != Projection::Mode::all && text({}).empty()) return none;
  const bool all = projection.mode == Projection::Mode::all;
  auto made = site_text(all ? *arguments_ : projection.apply(*arguments_));
  if (!made) {
    why_ = made.error().message;
    return none;
  }
  return made_.emplace_back(std::move(identity), std::move(*made)).text;
}

bool ProjectedArguments::keyable() { return !text({}).empty(); }

std::uint64_t ScopeNumbers::attempt(const Projection& projection) const {
  const std::string identity = projection.identity();
  for (const auto& [known, number] : attempts) {
    if (known == identity) return number;
  }
  return 0;
}

Counters::Counters(const Profile& profile) {
  for (const Rule& rule : profile.rules) note(profile, rule);
}

void Counters::note(const Profile& profile, const Rule& rule) {
  const bool by_run = rule.key == Key::connection || rule.key == Key::stream ||
                      rule.key == Key::spawn || rule.key == Key::session;
  const Scope scope = by_run ? Scope::run : rule.scope.value_or(profile.scope);
  Needs& needs = needs_[static_cast<std::size_t>(scope)];
  const bool shaped = rule.burst.has_value() || rule.window != 0;
  if (shaped && rule.whole_server) needs.of_all = true;
  if ((shaped && !rule.whole_server) || rule.key == Key::call || by_run ||
      rule.triggers.count_calls()) {
    needs.ordinal = true;
  }
  if (rule.key == Key::method || rule.key == Key::server_method || rule.key == Key::call ||
      rule.triggers.count_calls()) {
    needs.of_method = true;
  }
  const bool by_attempt = rule.key == Key::args || rule.key == Key::server_params || shaped ||
                          !rule.triggers.attempts.empty();
  if (!by_attempt) return;
  const std::string identity = rule.projection.identity();
  const bool known = std::ranges::any_of(
      needs.projections, [&identity](const Projection& p) { return p.identity() == identity; });
  if (!known) needs.projections.push_back(rule.projection);
}

json::Value Counters::standing() const {
  std::vector<json::Member> members;
  members.reserve(counters_.size());
  for (const auto& [name, number] : counters_) members.emplace_back(name, number);
  std::ranges::sort(members, {}, [](const json::Member& member) { return member.name(); });
  return json::Value::from_members(std::move(members));
}

Result<void> Counters::stand_at(const json::Value& standing) {
  if (!standing.is_object() || standing.size() > kCountersMax) {
    return fail(ErrorKind::invalid, "counters are an object of at most 1000000 whole numbers");
  }
  std::unordered_map<std::string, std::uint64_t> counters;
  for (const json::Member& member : standing.members()) {
    const auto number = member.value.as_uint64();
    if (!number) return fail(ErrorKind::invalid, "a counter is no whole number");
    counters.emplace(member.name(), *number);
  }
  counters_ = std::move(counters);
  rounds_.clear();
  oldest_rounds_.clear();
  return {};
}

Result<std::uint64_t> Counters::next(std::string key) {
  const auto at = counters_.find(key);
  if (at != counters_.end()) return ++at->second;
  if (counters_.size() >= kCountersMax) {
    return fail(ErrorKind::limit, "more than 1000000 counters: the run meets too many sites");
  }
  counters_.emplace(std::move(key), 1);
  return 1;
}

Result<ScopeNumbers> Counters::count_in(const Needs& needs, const std::string& scope,
                                        const Arrival& arrival, ProjectedArguments& arguments) {
  const bool call = arrival.what == What::call;
  const std::string_view what = what_name(arrival.what);
  ScopeNumbers out;
  std::string round;
  if (call && arguments.keyable()) {
    round = key_of_parts({scope, arrival.tool, arguments.text({})});
    if (arrival.goes_on) {
      // Only the latest earlier arrival of the same call gives its numbers.
      const auto earlier = rounds_.find(round);
      if (earlier != rounds_.end()) return earlier->second;
    }
  }
  if (needs.ordinal) {
    const std::string_view name = call ? arrival.tool : std::string_view();
    if (call || !is_message(arrival.what)) {
      SQUALL_TRY(out.ordinal, next(key_of_parts({scope, "ordinal", call ? "call" : what, name})));
    }
  }
  if (needs.of_method && is_message(arrival.what)) {
    SQUALL_TRY(out.of_method, next(key_of_parts({scope, "method", what, arrival.method})));
  }
  if (!call && is_message(arrival.what)) out.ordinal = out.of_method;
  if (needs.of_all && call) {
    SQUALL_TRY(out.of_all, next(key_of_parts({scope, "all"})));
  }
  const bool keyed = is_message(arrival.what) && arguments.keyable();
  for (const Projection& projection : needs.projections) {
    if (!keyed) break;
    std::string identity = projection.identity();
    SQUALL_TRY(
        const std::uint64_t attempt,
        next(key_of_parts({scope, "attempt", what, call ? arrival.tool : arrival.method,
                           call ? "call" : "params", identity, arguments.text(projection)})));
    out.attempts.emplace_back(std::move(identity), attempt);
  }
  if (!round.empty()) remember(std::move(round), out);
  return out;
}

void Counters::remember(std::string round, const ScopeNumbers& numbers) {
  const auto [at, added] = rounds_.insert_or_assign(std::move(round), numbers);
  if (!added) return;
  oldest_rounds_.push_back(at->first);
  if (oldest_rounds_.size() <= kRoundsMax) return;
  rounds_.erase(oldest_rounds_.front());
  oldest_rounds_.pop_front();
}

Result<AllNumbers> Counters::count(const Arrival& arrival, ProjectedArguments& arguments) {
  AllNumbers out;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    if (!needs_[i].any()) continue;
    const auto scope = static_cast<Scope>(i);
    const std::string id = key_of_parts({name_of(scope), scope_id(arrival, scope)});
    SQUALL_TRY(out[i], count_in(needs_[i], id, arrival, arguments));
  }
  return out;
}

}  // namespace squall::fault
