#include "squall/inject/injector.h"

#include "state.h"

namespace squall::inject {

Result<void> check_meaning(const fault::Profile& profile, const fault::Surroundings& there) {
  std::string wrong;
  for (const fault::Rule& rule : profile.rules) {
    const std::string why = fault::no_meaning(*rule.kind, there);
    if (!why.empty()) wrong += (wrong.empty() ? "rule " : "\nrule ") + rule.id + ": " + why;
  }
  if (!wrong.empty()) return fail(ErrorKind::invalid, wrong);
  return {};
}

Result<std::unique_ptr<Injector>> Injector::make(fault::Profile profile, fault::Seed seed,
                                                 InjectorOptions options) {
  SQUALL_CHECK(check_meaning(profile, options.surroundings));
  auto state = std::make_unique<State>(std::move(profile), seed, options);
  return std::unique_ptr<Injector>(new Injector(std::move(state)));
}

Injector::Injector(std::unique_ptr<State> state) : state_(std::move(state)) {}
Injector::~Injector() = default;

Reaction Injector::on(const ClientMessage& message) {
  return state_->enabled ? state_->on(message) : Reaction{};
}
Reaction Injector::on(const ServerMessage& message) {
  return state_->enabled ? state_->on(message) : Reaction{};
}
Reaction Injector::on(const Opened& opened) {
  return state_->enabled ? state_->on(opened) : Reaction{};
}
Reaction Injector::on(const Ended& ended) { return state_->on(ended); }
Reaction Injector::on(const Woken& woken) { return state_->on(woken); }

Reaction Injector::set_enabled(bool enabled, std::chrono::nanoseconds now) {
  return state_->set_enabled(enabled, now);
}
bool Injector::enabled() const noexcept { return state_->enabled; }

Result<void> Injector::replace(fault::Profile profile) {
  return state_->replace(std::move(profile));
}
void Injector::reset() { state_->reset(); }

void Injector::number_next(const fault::Numbers& numbers) { state_->numbers = numbers; }
json::Value Injector::standing() const { return state_->standing(); }
Result<void> Injector::stand_at(const json::Value& standing) { return state_->stand_at(standing); }
const fault::Decision& Injector::last_decision() const noexcept { return state_->last; }
const fault::Profile& Injector::profile() const noexcept { return *state_->profile; }
fault::Seed Injector::seed() const noexcept { return state_->seed; }
std::size_t Injector::struck_exchanges() const noexcept { return state_->struck; }

std::vector<std::pair<std::string, std::uint64_t>> Injector::fired() const {
  return {state_->fired.begin(), state_->fired.end()};
}

std::vector<RuleTally> Injector::tally() const {
  std::vector<RuleTally> out;
  for (std::size_t i = 0; i < state_->profile->rules.size(); ++i) {
    const std::string& id = state_->profile->rules[i].id;
    const auto at = state_->fired.find(id);
    out.push_back({id, state_->eligible[i], at == state_->fired.end() ? 0 : at->second});
  }
  return out;
}

}  // namespace squall::inject
