#include "scene.h"

#include "squall/mcp/revision.h"

#include "reply.h"

namespace squall::inject {

using std::chrono::nanoseconds;

bool Ongoing::modern() const {
  const auto known = mcp::revision_from(revision);
  return known && mcp::supports(*known, mcp::Feature::result_type);
}

void Scene::did(std::string how) {
  did();
  if (!out.main) return;
  Send& main = *out.main;
  main.rule = main.rule.empty() || main.rule == rule() ? rule() : main.rule + "," + rule();
  main.how = main.how.empty() ? std::move(how) : main.how + "; " + how;
}

void Scene::answer(json::Value result, std::string how) {
  if (ongoing.modern() && !result.contains("resultType")) result.set("resultType", "complete");
  set_bytes(make_result(ongoing.id, result), std::move(how));
  out.main->to = Send::To::client;
  out.main->last = true;
  out.main->delivery = recording::Delivery::made_up;
}

void Scene::answer_error(std::int64_t code, std::string_view message, std::string how,
                         const json::Value* data) {
  set_bytes(make_error(ongoing.id, code, message, data), std::move(how));
  out.main->to = Send::To::client;
  out.main->last = true;
  if (!ongoing.forwarded) out.main->delivery = recording::Delivery::made_up;
}

void Scene::answer_http(unsigned status, std::vector<std::pair<std::string, std::string>> headers,
                        std::string body, std::string how) {
  did();
  out.main.reset();
  Answer answer;
  answer.exchange = ongoing.number;
  answer.status = status;
  answer.headers = std::move(headers);
  answer.body = std::move(body);
  answer.rule = rule();
  answer.how = std::move(how);
  out.behind.emplace_back(std::move(answer));
  ongoing.silent = true;
}

void Scene::shape(Shape shape, std::string how) {
  did();
  shape.exchange = ongoing.number;
  shape.rule = rule();
  shape.how = std::move(how);
  out.before.emplace_back(std::move(shape));
}

std::optional<json::Value> Scene::message() const { return parse_message(bytes()); }

std::optional<json::Value> Scene::result() const {
  auto whole = message();
  json::Value* result = whole ? whole->find("result") : nullptr;
  if (result == nullptr || !result->is_object()) return std::nullopt;
  return std::move(*result);
}

void Scene::set_result(json::Value result, std::string how) {
  set_bytes(with_result(bytes(), std::move(result)), std::move(how));
}

void Scene::set_message(const json::Value& message, std::string how) {
  set_bytes(write_like(bytes(), message), std::move(how));
}

void Scene::set_bytes(std::string bytes, std::string how) {
  did(std::move(how));
  out.main->bytes = std::move(bytes);
  if (out.main->delivery == recording::Delivery::unchanged) {
    out.main->delivery = recording::Delivery::changed;
  }
}

void Scene::delay(nanoseconds time, std::string how) {
  did(std::move(how));
  out.main->after += time;
}

void Scene::withhold(std::string how) {
  did();
  out.lost.push_back({rule(), std::move(how)});
  out.main.reset();
}

bool Scene::hold(std::string how) {
  const std::size_t size = bytes().size();
  if (shared.held_bytes + size > shared.held_bytes_max) {
    noop("too much is held back already");
    return false;
  }
  did(std::move(how));
  shared.held_bytes += size;
  ongoing.held.push_back(*std::exchange(out.main, std::nullopt));
  return true;
}

void Scene::release_held() {
  for (Send& send : ongoing.held) {
    shared.held_bytes -= send.bytes->size();
    out.behind.emplace_back(std::move(send));
  }
  ongoing.held.clear();
}

void Scene::end(Cut how, std::string how_text) {
  did();
  End end;
  end.exchange = ongoing.number;
  end.how = how;
  end.rule = rule();
  end.how_text = std::move(how_text);
  if (out.main) end.after = out.main->after;
  out.behind.emplace_back(std::move(end));
  ongoing.silent = true;
}

Send Scene::extra(std::string bytes, std::string how, nanoseconds after) const {
  Send send;
  send.exchange = ongoing.number;
  send.connection = ongoing.connection;
  send.session = ongoing.session;
  send.bytes = std::move(bytes);
  send.after = after;
  send.rule = rule();
  send.how = std::move(how);
  send.delivery = recording::Delivery::made_up;
  return send;
}

void Scene::send_before(std::string bytes, std::string how, nanoseconds after) {
  did();
  out.before.emplace_back(extra(std::move(bytes), std::move(how), after));
}

void Scene::send_behind(std::string bytes, std::string how, nanoseconds after) {
  did();
  const nanoseconds base = out.main ? out.main->after : nanoseconds{};
  out.behind.emplace_back(extra(std::move(bytes), std::move(how), base + after));
}

void Scene::send_stream_bytes(std::string bytes, std::string how, nanoseconds after) {
  did();
  Send send = extra(std::move(bytes), std::move(how), after);
  send.form = Send::Form::event;
  out.behind.emplace_back(std::move(send));
}

void Scene::noop(std::string why) { why_noop_ = std::move(why); }

std::uint64_t& Scene::fact(std::string_view name) {
  static thread_local std::uint64_t nowhere;
  const std::string key = rule() + " " + std::string(name);
  const auto at = shared.facts.find(key);
  if (at != shared.facts.end()) return at->second;
  if (shared.facts.size() >= kFactsMax) return nowhere = 0;
  return shared.facts[key];
}

jsonrpc::Id Scene::make_id() {
  return jsonrpc::Id(static_cast<std::int64_t>(7'000'000'000 + ++shared.made_up));
}

}  // namespace squall::inject
