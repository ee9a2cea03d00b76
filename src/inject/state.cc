#include "state.h"

#include <algorithm>

#include "squall/json/canonical.h"
#include "squall/json/write.h"

#include "reply.h"

namespace squall::inject {

using fault::Arrival;
using fault::Layer;
using std::chrono::nanoseconds;

Result<void> check_meaning(const fault::Profile& profile, const fault::Surroundings& there);

namespace {

constexpr std::size_t kListsMax = 10'000;  // sessions and methods whose lists are counted
bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Fills in where something happens; the numbers' texts live in `texts`.
void place(Arrival& arrival, const Place& at, std::array<std::string, 2>& texts) {
  texts[0] = at.connection == 0 ? "" : std::to_string(at.connection);
  texts[1] = at.process == 0 ? "" : std::to_string(at.process);
  arrival.connection = texts[0];
  arrival.process = texts[1];
  arrival.session = at.session;
  arrival.revision = at.revision;
  arrival.transport = at.transport;
}

Ongoing ongoing_at(const Place& at) {
  Ongoing out;
  out.session = at.session;
  out.connection = at.connection;
  out.process = at.process;
  out.revision = at.revision;
  out.transport = at.transport;
  return out;
}

/// The message of an arrival: as the caller parsed it, or parsed here into `own`.
const json::Value* message_of(const json::Value* given, std::string_view bytes,
                              std::optional<json::Value>& own) {
  if (given != nullptr || bytes.empty()) return given;
  own = parse_message(bytes);
  return own ? &*own : nullptr;
}

}  // namespace

Needs Needs::of(const fault::Profile& profile) {
  Needs out;
  for (const fault::Rule& rule : profile.rules) {
    using fault::Key;
    const std::string_view kind = rule.kind->name;
    out.server_messages |= rule.key == Key::server_method || rule.key == Key::server_params;
    out.entries |= rule.kind->layer == Layer::catalogue;
    out.memory |= is_one_of(kind, {"stale", "crossed", "phantom", "contradict"});
    out.schemas |= is_one_of(kind, {"corrupt", "schema", "rows"});
    out.in_flight |= is_one_of(kind, {"wrong-id", "stream-misroute"});
    out.connections |= rule.key == Key::connection;
    out.streams |= rule.key == Key::stream;
    out.processes |= rule.key == Key::spawn;
    out.sessions |= rule.key == Key::session || kind == "session-id";
  }
  return out;
}

Injector::State::State(fault::Profile rules, fault::Seed of, InjectorOptions with)
    : profile(std::make_shared<const fault::Profile>(std::move(rules))),
      seed(of),
      options(with),
      needs_(Needs::of(*profile)),
      decider_(std::make_unique<fault::Decider>(*profile, seed)),
      shared_(Memory(with.remembered_max, with.remembered_bytes_max), with.held_bytes_max) {
  eligible.resize(profile->rules.size());
}

fault::Decision Injector::State::decide(const Arrival& arrival, bool numbered) {
  fault::Decision out = numbered && numbers
                            ? decider_->decide_at(arrival, *std::exchange(numbers, std::nullopt))
                            : decider_->decide(arrival);
  for (std::size_t i = 0; i < out.considered.size(); ++i) {
    eligible[i] += out.considered[i].outcome >= fault::Outcome::missed ? 1 : 0;
  }
  return out;
}

void Injector::State::note_decision(Turn& turn, std::uint64_t in, const fault::Decision& decision,
                                    const Ongoing* ongoing) {
  if (!options.record) return;
  recording::Decision record = to_record(decision);
  record.in = in;
  for (const auto& [number, other] : exchanges_) {
    if (other.forwarded && number != in) record.in_flight.push_back(number);
  }
  std::ranges::sort(record.in_flight);
  if (ongoing != nullptr) {
    for (const fault::Considered& one : decision.considered) {
      if (one.site.empty()) continue;
      const bool by_call = one.rule->key == fault::Key::call;
      for (const auto& [number, other] : exchanges_) {
        const bool same = other.method == ongoing->method && other.tool == ongoing->tool;
        record.order_sensitive |=
            number != in && same && (by_call || other.arguments == ongoing->arguments);
      }
    }
  }
  turn.reaction.records.emplace_back(std::move(record));
}

std::vector<Struck> Injector::State::take_strikes(const fault::Decision& decision) {
  std::vector<Struck> out;
  for (const fault::Strike& strike : decision.strikes) {
    Struck one;
    one.rule = strike.rule;
    one.fault = find_fault(strike.rule->kind->name);
    one.site = strike.site;
    one.with = strike.parameters;
    out.push_back(std::move(one));
  }
  return out;
}

void Injector::State::note_noop(Turn& turn, const Struck& strike, std::uint64_t in,
                                std::string why) {
  if (!options.record) return;
  recording::Decision record;
  record.in = in;
  recording::Considered one;
  one.rule = strike.rule->id;
  one.kind = strike.rule->kind->name;
  one.layer = fault::name_of(strike.rule->kind->layer);
  one.site = strike.site;
  one.standing = recording::Standing::noop;
  one.why = std::move(why);
  one.parameters = strike.with;
  record.rules.push_back(std::move(one));
  turn.reaction.records.emplace_back(std::move(record));
}

void Injector::State::run(Turn& turn, Struck& strike, Ongoing& ongoing, Act act) {
  if (strike.over || strike.fault == nullptr || strike.fault->*act == nullptr) return;
  Scene scene(seed, strike, ongoing, turn.out, shared_, turn.now);
  scene.request = turn.request;
  scene.reply = turn.reply;
  const bool before = std::exchange(strike.acted, false);
  (strike.fault->*act)(scene);
  const bool acted = std::exchange(strike.acted, strike.acted || before);
  turn.acted |= acted;
  std::ranges::move(turn.out.lost, std::back_inserter(turn.lost));
  turn.out.lost.clear();
  if (acted && !before) ++fired[strike.rule->id];
  if (!scene.why_noop().empty() && !strike.acted) {
    strike.over = true;
    note_noop(turn, strike, ongoing.number, scene.why_noop());
  }
}

void Injector::State::run_layers(Turn& turn, Ongoing& ongoing, Act act,
                                 std::initializer_list<Layer> order) {
  for (const Layer layer : order) {
    for (Struck& strike : ongoing.strikes) {
      if (strike.rule->kind->layer != layer) continue;
      if (!turn.out.main) return;
      run(turn, strike, ongoing, act);
    }
  }
}

void Injector::State::run_every(Turn& turn, Ongoing& ongoing) {
  if (shared_.facts.empty() || turn.request == nullptr) return;
  for (const fault::Rule& rule : profile->rules) {
    const Fault* fault = find_fault(rule.kind->name);
    if (fault->on_every == nullptr || !turn.out.main) continue;
    Struck strike;
    strike.rule = &rule;
    strike.fault = fault;
    strike.with = rule.settings;
    run(turn, strike, ongoing, &Fault::on_every);
  }
}

void Injector::State::run_traffic(Turn& turn, std::string_view session, std::uint64_t process) {
  if (turn.request != nullptr && !sessions_.empty()) {
    const auto at = sessions_.find(session);
    if (at != sessions_.end()) {
      at->second.base.number = turn.request->exchange;
      for (Struck& strike : at->second.base.strikes) {
        if (turn.out.main) run(turn, strike, at->second.base, &Fault::on_traffic);
      }
      at->second.base.silent = false;
    }
  }
  const auto at = processes_.find(process);
  if (at == processes_.end()) return;
  for (Struck& strike : at->second.base.strikes) {
    if (turn.out.main) run(turn, strike, at->second.base, &Fault::on_traffic);
  }
}

Ongoing Injector::State::describe(const ClientMessage& message, const json::Value& body,
                                  std::string_view method) {
  Ongoing out = ongoing_at(message.place);
  out.number = message.exchange;
  out.profile = profile;
  out.method = method;
  if (const json::Value* id = body.find("id")) out.id = jsonrpc::Id::from(*id);
  const json::Value* params = body.find("params");
  if (params == nullptr) return out;
  if (const json::Value* meta = params->find("_meta")) {
    if (const json::Value* token = meta->find("progressToken")) out.progress_token = *token;
  }
  if (const json::Value* cursor = params->find("cursor")) out.cursor = *cursor;
  if (method != "tools/call") return out;
  out.tool = params->find_string("name").value_or("");
  const json::Value* arguments = params->find("arguments");
  out.arguments =
      json::canonical(arguments != nullptr ? *arguments : json::Value::object()).value_or("");
  return out;
}

void Injector::State::note_lost(Turn& turn, std::uint64_t in, const Outgoing::Lost& lost) {
  if (!options.record) return;
  recording::Delivered record;
  record.in = in;
  record.to = turn.request != nullptr ? recording::Party::server : recording::Party::client;
  record.delivery = recording::Delivery::lost;
  record.rule = lost.rule;
  record.how = lost.how;
  turn.reaction.records.emplace_back(std::move(record));
}

Reaction Injector::State::finish(Turn& turn) {
  const std::uint64_t in = turn.reply != nullptr     ? turn.reply->in
                           : turn.request != nullptr ? turn.request->exchange
                                                     : 0;
  for (const Outgoing::Lost& lost : turn.lost) note_lost(turn, in, lost);
  std::vector<Command> all = std::move(turn.out.before);
  if (turn.out.main) {
    Send& main = *turn.out.main;
    if (main.delivery == recording::Delivery::unchanged) main.bytes.reset();
    const bool moved = turn.acted || main.after.count() != 0;
    turn.acted = moved;
    all.emplace_back(std::move(main));
  } else {
    turn.acted = true;
  }
  for (Command& command : turn.out.behind) all.emplace_back(std::move(command));
  turn.out = {};
  // The exchange ends behind the last thing that is sent of it.
  std::map<Exchange, Send*> ends;
  for (Command& command : all) {
    Send* send = std::get_if<Send>(&command);
    if (send == nullptr || send->to != Send::To::client || send->exchange == 0) continue;
    const auto at = ends.find(send->exchange);
    if (at != ends.end()) {
      at->second->last = false;
      send->last = true;
      at->second = send;
    } else if (send->last) {
      ends.emplace(send->exchange, send);
    }
  }
  turn.reaction.untouched = !turn.acted;
  if (turn.acted) turn.reaction.commands = std::move(all);
  return std::move(turn.reaction);
}

Reaction Injector::State::on(const ClientMessage& message) {
  release_due(message.now);
  if (message.bytes.empty()) return on_bare_request(message);
  std::optional<json::Value> own;
  const json::Value* body = message_of(message.message, message.bytes, own);
  if (body == nullptr) return {};
  const auto method = body->find_string("method");
  if (!method) {
    Reaction reaction;
    if (swallow(*body)) reaction.untouched = false;
    return reaction;
  }
  return body->contains("id") ? on_request(message, *body, *method)
                              : on_notification(message, *body, *method);
}

bool Injector::State::swallow(const json::Value& message) {
  const json::Value* id = message.find("id");
  if (id == nullptr || shared_.swallow.empty()) return false;
  const std::string text = json::to_string(*id);
  const auto at = std::ranges::find(shared_.swallow, text);
  if (at == shared_.swallow.end()) return false;
  shared_.swallow.erase(at);
  return true;
}

Reaction Injector::State::on_bare_request(const ClientMessage& message) {
  Turn turn{};
  turn.now = message.now;
  turn.request = &message;
  Ongoing ongoing = ongoing_at(message.place);
  ongoing.number = message.exchange;
  turn.out.main.emplace();
  turn.out.main->to = Send::To::upstream;
  turn.out.main->exchange = message.exchange;
  turn.out.main->bytes.emplace();
  run_every(turn, ongoing);
  if (turn.out.main) run_traffic(turn, message.place.session, 0);
  return finish(turn);
}

Reaction Injector::State::on_notification(const ClientMessage& message, const json::Value& body,
                                          std::string_view method) {
  Arrival arrival = Arrival::of(method, body.find("params"));
  std::array<std::string, 2> texts;
  place(arrival, message.place, texts);
  arrival.direction = "notification";
  arrival.unkeyable = message.unkeyable;
  last = decide(arrival);
  Turn turn{};
  turn.now = message.now;
  turn.request = &message;
  note_decision(turn, message.exchange, last);
  Ongoing ongoing = ongoing_at(message.place);
  ongoing.strikes = take_strikes(last);
  ongoing.method = method;
  turn.out.main.emplace();
  turn.out.main->to = Send::To::upstream;
  turn.out.main->exchange = message.exchange;
  turn.out.main->bytes = message.bytes;
  run_every(turn, ongoing);
  if (turn.out.main) run_traffic(turn, message.place.session, 0);
  run_layers(turn, ongoing, &Fault::on_notification,
             {Layer::auth, Layer::http, Layer::message, Layer::tool});
  ongoing.profile = profile;
  finish_strikes(turn, ongoing, {});
  return finish(turn);
}

Reaction Injector::State::on_request(const ClientMessage& message, const json::Value& body,
                                     std::string_view method) {
  Arrival arrival = Arrival::of(method, body.find("params"));
  std::array<std::string, 2> texts;
  place(arrival, message.place, texts);
  arrival.unkeyable = message.unkeyable;
  const bool by_hand = numbers.has_value();
  const auto renamed = shared_.renamed.find(arrival.tool);
  if (renamed != shared_.renamed.end()) arrival.tool = renamed->second;
  last = decide(arrival, true);
  Turn turn{};
  turn.now = message.now;
  turn.request = &message;

  const bool list = needs_.entries && method.ends_with("/list");
  const bool keep = options.record || needs_.keeps(method) || !last.strikes.empty();
  const bool lasting = !sessions_.empty() || !shared_.facts.empty();
  if (!keep && !lasting && renamed == shared_.renamed.end()) return {};
  end_exchange(turn, message.exchange);  // of the same number: nobody may use one twice
  Ongoing ongoing = describe(message, body, method);
  note_decision(turn, message.exchange, last, &ongoing);
  if (list && lists_.size() < kListsMax) {
    ongoing.list = ++lists_[ongoing.session + " " + ongoing.method];
  }
  ongoing.tool = arrival.tool;
  ongoing.strikes = take_strikes(last);
  for (Struck& strike : ongoing.strikes) strike.counted = !by_hand;
  if (!ongoing.strikes.empty() && struck >= options.concurrent_max) {
    for (const Struck& strike : ongoing.strikes) {
      note_noop(turn, strike, ongoing.number, "too many exchanges are being struck at once");
      if (strike.counted) free_place(profile, strike.rule);
    }
    ongoing.strikes.clear();
  }
  if (!ongoing.strikes.empty()) ++struck;

  turn.out.main.emplace();
  turn.out.main->to = Send::To::upstream;
  turn.out.main->exchange = message.exchange;
  turn.out.main->bytes = message.bytes;
  if (renamed != shared_.renamed.end()) use_own_name(turn, renamed->second);
  run_every(turn, ongoing);
  if (turn.out.main) run_traffic(turn, message.place.session, 0);
  ongoing.silent = !turn.out.main;
  Layer answered = Layer::message;
  for (const Layer layer : {Layer::session, Layer::auth, Layer::http, Layer::stream, Layer::message,
                            Layer::catalogue, Layer::tool}) {
    if (!turn.out.main || turn.out.main->to == Send::To::client) break;
    run_layers(turn, ongoing, &Fault::on_request, {layer});
    answered = layer;
  }
  const bool replied = turn.out.main && turn.out.main->to == Send::To::client;
  ongoing.forwarded = turn.out.main && !replied;
  if (needs_.in_flight && ongoing.forwarded) {
    shared_.in_flight.emplace_back(ongoing.number, ongoing.id);
  }
  if (!ongoing.forwarded && options.record) {
    recording::Upstream upstream;
    upstream.in = message.exchange;
    upstream.executed = recording::Executed::no;
    turn.reaction.records.emplace_back(std::move(upstream));
  }
  Ongoing& kept = exchanges_.insert_or_assign(message.exchange, std::move(ongoing)).first->second;
  if (replied) {
    respond(turn, kept, true, answered);
  } else if (kept.silent) {
    end_exchange(turn, message.exchange);
  }
  return finish(turn);
}

Reaction Injector::State::on(const ServerMessage& message) {
  release_due(message.now);
  const auto at = message.exchange == 0 ? exchanges_.end() : exchanges_.find(message.exchange);
  const bool known = at != exchanges_.end();
  if (!known && !needs_.server_messages && processes_.empty()) return {};
  std::optional<json::Value> own;
  const json::Value* body = message_of(message.message, message.bytes, own);
  const auto method = body == nullptr ? std::nullopt : body->find_string("method");
  if (!method) {
    if (known) return on_response(message, at->second);
    if (processes_.empty()) return {};
  }
  return on_server_message(message, body == nullptr ? json::Value() : *body, method.value_or(""));
}

namespace {

Send to_client(const ServerMessage& message) {
  Send out;
  out.exchange = message.exchange;
  out.connection = message.place.connection;
  out.session = message.place.session;
  out.bytes = message.bytes;
  return out;
}

}  // namespace

Reaction Injector::State::on_response(const ServerMessage& message, Ongoing& ongoing) {
  Turn turn{};
  turn.now = message.now;
  turn.reply = &message;
  turn.out.main = to_client(message);
  turn.out.main->last = true;
  std::erase_if(shared_.in_flight,
                [&message](const auto& one) { return one.first == message.exchange; });
  const std::string clean(message.bytes);
  const bool silent = ongoing.silent;
  if (silent) turn.out.main.reset();
  const std::string method = ongoing.method;
  const std::string tool = ongoing.tool;
  const std::string arguments = ongoing.arguments;
  const bool touched_before = silent;
  if (needs_.schemas && method == "tools/list") {
    if (const auto whole = parse_message(clean)) {
      if (const json::Value* result = whole->find("result")) shared_.memory.learn_tools(*result);
    }
  }
  respond(turn, ongoing, false, Layer::process);
  if (needs_.memory && method == "tools/call" && !arguments.empty()) {
    if (const auto whole = parse_message(clean)) {
      if (const json::Value* result = whole->find("result")) {
        shared_.memory.remember(tool, arguments, *result, clean.size());
      }
    }
  }
  Reaction reaction = finish(turn);
  if (options.record) {
    recording::Upstream upstream;
    upstream.in = message.exchange;
    upstream.executed = recording::Executed::yes;
    upstream.answer_in = message.in;
    if (!reaction.untouched || touched_before) upstream.answer.emplace(clean);
    reaction.records.emplace_back(std::move(upstream));
  }
  return reaction;
}

void Injector::State::respond(Turn& turn, Ongoing& ongoing, bool made_up, Layer by) {
  const Exchange number = ongoing.number;
  if (!made_up && ongoing.list != 0) apply_entries(turn, ongoing);
  if (made_up) {
    // What answered stands where the server would: what lies outside of it still acts.
    if (by == Layer::tool || by == Layer::catalogue) {
      run_layers(turn, ongoing, &Fault::on_response, {Layer::message, Layer::stream});
    } else {
      run_layers(turn, ongoing, &Fault::on_response, {Layer::stream});
    }
  } else {
    run_layers(
        turn, ongoing, &Fault::on_response,
        {Layer::catalogue, Layer::tool, Layer::message, Layer::auth, Layer::http, Layer::stream});
  }
  apply_events(turn, ongoing);
  if (turn.out.main) run_traffic(turn, {}, ongoing.process);
  nanoseconds after{};
  if (turn.out.main) after = turn.out.main->after;
  for (const Command& command : turn.out.behind) {
    if (const Send* send = std::get_if<Send>(&command)) after = std::max(after, send->after);
  }
  if (ongoing.held.empty()) end_exchange(turn, number, after);
}

void Injector::State::apply_events(Turn& turn, Ongoing& ongoing) {
  const auto strike = std::ranges::find_if(ongoing.strikes, [](const Struck& one) {
    return one.fault != nullptr && one.fault->on_event != nullptr && !one.over;
  });
  if (strike == ongoing.strikes.end()) return;
  std::vector<Command> all = std::move(turn.out.before);
  if (turn.out.main) all.emplace_back(*std::move(turn.out.main));
  for (Command& command : turn.out.behind) all.emplace_back(std::move(command));
  std::vector<Command> done;
  for (Command& command : all) {
    Send* send = std::get_if<Send>(&command);
    const bool event = send != nullptr && send->to == Send::To::client &&
                       send->form == Send::Form::message && send->bytes.has_value();
    if (!event) {
      done.emplace_back(std::move(command));
      continue;
    }
    if (ongoing.silent) continue;
    turn.out = {};
    turn.out.main = std::move(*send);
    run(turn, *strike, ongoing, &Fault::on_event);
    ++ongoing.events;
    for (Command& one : turn.out.before) done.emplace_back(std::move(one));
    if (turn.out.main) done.emplace_back(*std::move(turn.out.main));
    for (Command& one : turn.out.behind) done.emplace_back(std::move(one));
  }
  turn.out = {};
  // The last message becomes the main one again, so that what comes behind finds it there.
  if (!done.empty()) {
    if (Send* send = std::get_if<Send>(&done.back());
        send != nullptr && send->to == Send::To::client && send->bytes) {
      turn.out.main = std::move(*send);
      done.pop_back();
    }
  }
  turn.out.before = std::move(done);
}

Reaction Injector::State::on_server_message(const ServerMessage& message, const json::Value& body,
                                            std::string_view method) {
  Turn turn{};
  turn.now = message.now;
  turn.reply = &message;
  turn.out.main = to_client(message);
  const auto at = message.exchange == 0 ? exchanges_.end() : exchanges_.find(message.exchange);
  Ongoing alone = ongoing_at(message.place);
  alone.profile = profile;
  if (needs_.server_messages && !method.empty()) {
    Arrival arrival = Arrival::of(method, body.find("params"));
    std::array<std::string, 2> texts;
    place(arrival, message.place, texts);
    arrival.what = Arrival::What::server_message;
    arrival.arguments = body.find("params");
    arrival.tool = {};
    arrival.direction = body.contains("id") ? "request" : "notification";
    last = decide(arrival);
    note_decision(turn, message.in, last);
    alone.strikes = take_strikes(last);
    alone.method = method;
    if (const json::Value* id = body.find("id")) alone.id = jsonrpc::Id::from(*id);
    run_layers(turn, alone, &Fault::on_message, {Layer::tool, Layer::message, Layer::stream});
  }
  if (at != exchanges_.end()) {
    if (at->second.silent) turn.out.main.reset();
    run_layers(turn, at->second, &Fault::on_message, {Layer::tool, Layer::message, Layer::stream});
    apply_events(turn, at->second);
  }
  if (turn.out.main) run_traffic(turn, {}, message.place.process);
  finish_strikes(turn, alone, turn.out.main ? turn.out.main->after : nanoseconds{});
  return finish(turn);
}

}  // namespace squall::inject
