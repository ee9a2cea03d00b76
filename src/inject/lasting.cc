// What outlives one event: beginnings, endings, times that come, places that become free.
#include <algorithm>

#include "reply.h"
#include "state.h"

namespace squall::inject {

using fault::Arrival;
using std::chrono::nanoseconds;

Result<void> check_meaning(const fault::Profile& profile, const fault::Surroundings& there);

namespace {

constexpr std::size_t kAfflictionsMax = 10'000;

Arrival::What what_of(Opened::What what) {
  switch (what) {
    case Opened::What::connection:
      return Arrival::What::connection;
    case Opened::What::process:
      return Arrival::What::spawn;
    case Opened::What::session:
      return Arrival::What::session;
    case Opened::What::stream:
      break;
  }
  return Arrival::What::stream;
}

}  // namespace

Reaction Injector::State::on(const Opened& opened) {
  release_due(opened.now);
  using What = Opened::What;
  const bool wanted = (opened.what == What::connection && needs_.connections) ||
                      (opened.what == What::process && needs_.processes) ||
                      (opened.what == What::session && needs_.sessions) ||
                      (opened.what == What::stream && needs_.streams);
  if (!wanted) return {};
  Arrival arrival;
  arrival.what = what_of(opened.what);
  arrival.method = {};
  const std::string connection = std::to_string(opened.place.connection);
  const std::string process = std::to_string(opened.place.process);
  arrival.connection = connection;
  arrival.process = process;
  arrival.session = opened.place.session;
  arrival.revision = opened.place.revision;
  arrival.transport = opened.place.transport;
  last = decide(arrival);
  Turn turn{};
  turn.now = opened.now;
  note_decision(turn, opened.exchange, last);
  if (options.record) {
    auto& record = std::get<recording::Decision>(turn.reaction.records.back());
    record.in = 0;
    if (opened.what == What::process) {
      record.process = static_cast<std::uint32_t>(opened.place.process);
    } else {
      record.connection = static_cast<std::uint32_t>(opened.place.connection);
    }
  }
  Ongoing base;
  base.profile = profile;
  base.number = opened.exchange;
  base.session = opened.place.session;
  base.connection = opened.place.connection;
  base.process = opened.place.process;
  base.revision = opened.place.revision;
  base.transport = opened.place.transport;
  base.strikes = take_strikes(last);
  for (Struck& strike : base.strikes) run(turn, strike, base, &Fault::on_opened);
  if (opened.what == What::session) {
    if (shared_.sessions.size() >= kSessionsMax) shared_.sessions.erase(shared_.sessions.begin());
    shared_.sessions.emplace_back(opened.place.session);
  }
  turn.reaction.untouched = turn.out.behind.empty() && turn.out.before.empty();
  turn.reaction.commands = std::move(turn.out.before);
  for (Command& command : turn.out.behind) {
    turn.reaction.commands.emplace_back(std::move(command));
  }
  if (base.strikes.empty()) return std::move(turn.reaction);
  if (opened.what == What::process && processes_.size() < kAfflictionsMax) {
    processes_[opened.place.process].base = std::move(base);
  } else if (opened.what == What::session && sessions_.size() < kAfflictionsMax) {
    base.held.clear();
    sessions_[std::string(opened.place.session)].base = std::move(base);
  } else if (opened.what == What::stream) {
    end_exchange(turn, opened.exchange);
    ++struck;
    exchanges_.insert_or_assign(opened.exchange, std::move(base));
  }
  return std::move(turn.reaction);
}

Reaction Injector::State::on(const Ended& ended) {
  release_due(ended.now);
  Turn turn{};
  turn.now = ended.now;
  if (ended.what == Ended::What::session) {
    const auto at = sessions_.find(ended.place.session);
    if (at != sessions_.end()) {
      finish_strikes(turn, at->second.base, {});
      sessions_.erase(at);
    }
  } else if (ended.what == Ended::What::process) {
    const auto at = processes_.find(ended.place.process);
    if (at != processes_.end()) {
      finish_strikes(turn, at->second.base, {});
      processes_.erase(at);
    }
  } else if (ended.what == Ended::What::connection) {
    std::vector<Exchange> gone;
    for (const auto& [number, ongoing] : exchanges_) {
      if (ongoing.connection == ended.place.connection && !ongoing.is_http())
        gone.push_back(number);
    }
    std::ranges::sort(gone);
    for (const Exchange number : gone) end_exchange(turn, number);
  } else {
    const auto at = exchanges_.find(ended.exchange);
    if (at == exchanges_.end()) return {};
    Ongoing& ongoing = at->second;
    if (ended.what == Ended::What::cancelled) {
      ongoing.cancelled = true;
      for (Struck& strike : ongoing.strikes) run(turn, strike, ongoing, &Fault::on_cancel);
      const bool stays = std::ranges::any_of(ongoing.strikes, [](const Struck& strike) {
        return strike.fault != nullptr && strike.fault->on_cancel != nullptr && !strike.over;
      });
      turn.acted |= !ongoing.forwarded;  // nobody upstream knows of it
      if (!stays) end_exchange(turn, ended.exchange);
    } else {
      if (options.record && ongoing.forwarded) {
        recording::Upstream upstream;
        upstream.in = ended.exchange;
        upstream.executed = recording::Executed::unknown;
        turn.reaction.records.emplace_back(std::move(upstream));
      }
      end_exchange(turn, ended.exchange);
    }
  }
  turn.reaction.untouched = !turn.acted;
  for (Command& command : turn.out.behind) turn.reaction.commands.emplace_back(std::move(command));
  return std::move(turn.reaction);
}

Reaction Injector::State::on(const Woken& woken) {
  release_due(woken.now);
  Reaction reaction;
  reaction.untouched = false;
  const auto at = shared_.wake_of.find(woken.token);
  if (at == shared_.wake_of.end()) return reaction;
  const std::string rule = at->second;
  shared_.wake_of.erase(at);
  std::vector<Send>& queue = shared_.queues[rule];
  for (Send& send : queue) {
    if (send.bytes) shared_.held_bytes -= send.bytes->size();
    reaction.commands.emplace_back(std::move(send));
  }
  queue.clear();
  return reaction;
}

Reaction Injector::State::set_enabled(bool on, nanoseconds now) {
  release_due(now);
  enabled = on;
  Reaction reaction;
  if (on) return reaction;
  for (auto& [rule, queue] : shared_.queues) {
    for (Send& send : queue) reaction.commands.emplace_back(std::move(send));
  }
  shared_.queues.clear();
  shared_.wake_of.clear();
  std::vector<Exchange> held;
  for (const auto& [number, ongoing] : exchanges_) held.push_back(number);
  std::ranges::sort(held);
  for (const Exchange number : held) {
    for (Send& send : exchanges_.at(number).held) reaction.commands.emplace_back(std::move(send));
    Turn turn{};
    exchanges_.at(number).held.clear();
    end_exchange(turn, number);
  }
  shared_.held_bytes = 0;
  sessions_.clear();
  processes_.clear();
  reaction.untouched = reaction.commands.empty();
  return reaction;
}

Result<void> Injector::State::replace(fault::Profile rules) {
  SQUALL_CHECK(check_meaning(rules, options.surroundings));
  auto next = std::make_shared<const fault::Profile>(std::move(rules));
  auto decider = std::make_unique<fault::Decider>(*next, seed);
  decider->continue_from(*decider_);
  decider_ = std::move(decider);
  std::vector<std::uint64_t> counted(next->rules.size());
  for (std::size_t i = 0; i < counted.size(); ++i) {
    for (std::size_t before = 0; before < eligible.size(); ++before) {
      if (profile->rules[before].id == next->rules[i].id) counted[i] = eligible[before];
    }
  }
  eligible = std::move(counted);
  profile = std::move(next);
  needs_ = Needs::of(*profile);
  last = {};
  return {};
}

void Injector::State::reset() {
  decider_ = std::make_unique<fault::Decider>(*profile, seed);
  exchanges_.clear();
  sessions_.clear();
  processes_.clear();
  lists_.clear();
  due_.clear();
  struck = 0;
  fired.clear();
  eligible.assign(eligible.size(), 0);
  last = {};
  shared_ =
      Shared(Memory(options.remembered_max, options.remembered_bytes_max), options.held_bytes_max);
}

void Injector::State::finish_strikes(Turn& turn, Ongoing& ongoing, nanoseconds after) {
  for (const Struck& strike : ongoing.strikes) {
    if (!strike.acted && !strike.over) {
      note_noop(turn, strike, ongoing.number, "nothing came that it could have changed");
    }
    if (!strike.counted) continue;
    if (after.count() > 0) {
      due_.push_back({turn.now + after, ongoing.profile, strike.rule});
    } else {
      free_place(ongoing.profile, strike.rule);
    }
  }
}

void Injector::State::end_exchange(Turn& turn, Exchange exchange, nanoseconds after) {
  const auto at = exchanges_.find(exchange);
  if (at == exchanges_.end()) return;
  Ongoing& ongoing = at->second;
  std::erase_if(shared_.in_flight, [exchange](const auto& one) { return one.first == exchange; });
  for (const Send& send : ongoing.held) {
    shared_.held_bytes -= send.bytes->size();
    note_lost(turn, exchange, {send.rule, send.how});
  }
  finish_strikes(turn, ongoing, after);
  if (!ongoing.strikes.empty()) --struck;
  exchanges_.erase(at);
}

void Injector::State::free_place(const std::shared_ptr<const fault::Profile>& of,
                                 const fault::Rule* rule) {
  if (of == profile && rule->budget.concurrent) decider_->finished(*rule);
}

void Injector::State::release_due(nanoseconds now) {
  if (due_.empty()) return;
  std::erase_if(due_, [this, now](const Due& due) {
    if (due.at > now) return false;
    free_place(due.profile, due.rule);
    return true;
  });
}

}  // namespace squall::inject
