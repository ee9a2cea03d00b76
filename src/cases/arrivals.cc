#include "squall/cases/arrivals.h"

#include <algorithm>
#include <array>

#include "squall/fault/projection.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "sites.h"

namespace squall::cases {

namespace {

using What = fault::Arrival::What;

constexpr std::string_view kRevisionKey = "io.modelcontextprotocol/protocolVersion";
// As deep as messages are read where they are decided about.
constexpr std::size_t kDepthMax = 1'000;

std::optional<json::Value> parse_message(std::string_view bytes) {
  // A name that stands twice makes a message unkeyable; it is still decided about.
  const json::ParseOptions options{.duplicates = json::Duplicates::keep,
                                   .limits = {.depth = kDepthMax}};
  auto value = json::parse(bytes, options);
  if (!value || !value->is_object()) return std::nullopt;
  return *std::move(value);
}

fault::Transport transport_of(std::string_view name) {
  if (name == "http") return fault::Transport::http;
  return name == "stdio" ? fault::Transport::stdio : fault::Transport::any;
}

/// Params as far as they say what a message asks for.
json::Value without_envelope(const json::Value& params) {
  json::Value out = params;
  for (const std::string_view name : {"_meta", "inputResponses", "requestState"}) out.erase(name);
  return out;
}

bool is_prefix_of_name(std::string_view longer, std::string_view name) {
  return longer.size() > name.size() && longer.ends_with(name);
}

}  // namespace

fault::Arrival Arrived::view() const {
  fault::Arrival out;
  out.what = what;
  out.method = method;
  out.tool = tool;
  out.arguments = has_arguments ? &arguments : nullptr;
  out.entry = entry;
  out.session = session;
  out.connection = connection;
  out.process = process;
  out.revision = revision;
  out.direction = direction;
  out.transport = transport;
  out.goes_on = goes_on;
  return out;
}

Arrivals::Arrivals(const recording::Case& from, const fault::Profile& profile) : case_(from) {
  for (const fault::Rule& rule : profile.rules) {
    const fault::Scope scope = rule.scope.value_or(profile.scope);
    by_session_ |= scope == fault::Scope::session || !rule.when.sessions.empty();
    by_process_ |= scope == fault::Scope::process;
    by_revision_ |= !rule.when.revisions.empty();
    renames_ |= rule.kind->name == "rename-tool" || rule.kind->name == "slow-start";
    if (rule.key == fault::Key::connection || rule.key == fault::Key::session ||
        rule.key == fault::Key::stream) {
      openings_.emplace(fault::name_of(rule.key));
    }
  }
  for (const recording::Event& event : from.events) note(event);
}

void Arrivals::note(const recording::Event& event) {
  if (std::holds_alternative<recording::Spawn>(event.body)) ++processes_;
  if (const auto* connect = std::get_if<recording::Connect>(&event.body)) {
    if (connect->with == recording::Party::client) {
      lines_[connect->connection] = {connect->transport, connect->session, {}};
    }
    return;
  }
  const auto* message = std::get_if<recording::Message>(&event.body);
  if (message == nullptr || message->in == 0) return;
  if (messages_.emplace(message->in, &event).second) numbers_.push_back(message->in);
}

const recording::Event* Arrivals::event_of(std::uint64_t in) const {
  const auto at = messages_.find(in);
  return at == messages_.end() ? nullptr : at->second;
}

void Arrivals::place(Arrived& out, std::uint32_t connection) const {
  out.connection = connection == 0 ? "" : std::to_string(connection);
  const auto line = lines_.find(connection);
  if (line != lines_.end()) {
    out.transport = transport_of(line->second.transport);
    out.session = line->second.session;
  }
  if (out.revision.empty()) out.revision = case_.header.protocol;
  if (processes_ == 1) out.process = "1";
  const bool sessions = out.transport == fault::Transport::http && out.revision < "2026";
  if (by_session_ && sessions && out.session.empty()) out.unknown = "its session isn't recorded";
  if (by_process_ && processes_ > 1) out.unknown = "its process isn't recorded";
  if (by_revision_ && out.revision.empty()) out.unknown = "its revision isn't recorded";
}

void Arrivals::read(Arrived& out, const recording::Message& message) const {
  const auto bytes = recording::bytes_of(case_, message.payload);
  if (!bytes) {
    out.unknown = bytes.error().message;
    return;
  }
  const auto body = parse_message(*bytes);
  const auto method = body ? body->find_string("method") : std::nullopt;
  if (!method) {
    out.unknown = "arrival " + std::to_string(message.in) + " is no request and no notification";
    return;
  }
  const json::Value* params = body->find("params");
  const fault::Arrival seen = fault::Arrival::of(*method, params);
  const bool client = message.from == recording::Party::client;
  out.what = client ? seen.what : What::server_message;
  out.method = *method;
  out.direction = body->contains("id") ? "request" : "notification";
  out.goes_on = client && seen.goes_on;
  out.redacted = message.payload.redacted;
  if (client) out.tool = seen.tool;
  const json::Value* arguments = client ? seen.arguments : params;
  if (arguments != nullptr) {
    out.arguments = *arguments;
    out.has_arguments = true;
  }
  const json::Value* meta = params == nullptr ? nullptr : params->find("_meta");
  if (meta != nullptr) out.revision = meta->find_string(kRevisionKey).value_or("");
}

Arrived Arrivals::message(std::uint64_t in) const {
  Arrived out;
  out.in = in;
  const recording::Event* event = event_of(in);
  if (event == nullptr) {
    out.unknown = "arrival " + std::to_string(in) + " isn't recorded";
    return out;
  }
  const auto& message = std::get<recording::Message>(event->body);
  out.seq = event->seq;
  read(out, message);
  if (out.unknown.empty()) place(out, message.connection);
  return out;
}

void Arrivals::take_tool_of(Arrived& out, const recording::Decision& decision) const {
  if (out.what != What::call) return;
  const json::Value site = site_of(decision);
  const std::string word = word_of(site);
  const bool names_tool =
      word == "args" || word == "record" || word == "call" || word == "burst" || word == "window";
  if (!names_tool || site.items().size() < 2 || !site.items()[1].is_string()) return;
  // The client's name differs from the upstream's where a prefix or a fault renames tools.
  const std::string_view name = site.items()[1].string();
  if (renames_ || is_prefix_of_name(out.tool, name)) out.tool = name;
}

Arrived Arrivals::opened(const recording::Decision& decision) const {
  Arrived out;
  out.method.clear();
  if (decision.process != 0) {
    out.what = What::spawn;
    out.process = std::to_string(decision.process);
    out.transport = fault::Transport::stdio;
    return out;
  }
  std::string word = word_of(site_of(decision));
  if (word.empty() && openings_.size() == 1) word = *openings_.begin();
  place(out, decision.connection);
  if (word == "connection") {
    out.what = What::connection;
  } else if (word == "session") {
    out.what = What::session;
  } else if (word == "stream") {
    out.what = What::stream;
  } else {
    out.unknown = "it isn't recorded what was opened";
  }
  return out;
}

Arrived Arrivals::of(const recording::Decision& decision) {
  if (decision.in == 0) return opened(decision);
  Arrived out = message(decision.in);
  if (!out.unknown.empty()) return out;
  const json::Value site = site_of(decision);
  if (word_of(site) == "catalogue" && site.items().size() == 3) {
    out.what = What::entry;
    out.entry = site.items()[2].string();
    out.has_arguments = false;
    out.tool.clear();
    out.direction = "request";
    return out;
  }
  if (!decided_.insert(decision.in).second) out.unknown = "it was decided about before";
  take_tool_of(out, decision);
  return out;
}

std::string label_of(const Arrived& arrived, std::uint64_t attempt) {
  constexpr std::array<std::string_view, 8> kWords = {
      "args", "params", "server-params", "connection", "stream", "spawn", "session", "catalogue"};
  const std::string_view word = kWords[static_cast<std::size_t>(arrived.what)];
  std::string out = "[";
  json::write_string(out, word);
  const bool message = arrived.what == What::call || arrived.what == What::message ||
                       arrived.what == What::server_message;
  if (message) {
    out += ',';
    json::write_string(out, arrived.what == What::call ? arrived.tool : arrived.method);
    json::Value arguments = arrived.has_arguments ? arrived.arguments : json::Value::object();
    if (arrived.what != What::call) arguments = without_envelope(arguments);
    out += ',';
    out += fault::site_text(arguments).value_or("\"unkeyable\"");
  } else if (arrived.what == What::entry) {
    out += ',';
    json::write_string(out, arrived.method);
    out += ',';
    json::write_string(out, arrived.entry);
    return out + "]";
  }
  if (attempt != 0) out += ',' + std::to_string(attempt);
  return out + "]";
}

std::string Labels::next(const Arrived& arrived) {
  std::uint64_t& number = seen_[label_of(arrived, 0)];
  // A further round belongs to the attempt that it goes on with.
  if (!arrived.goes_on || number == 0) ++number;
  return label_of(arrived, number);
}

}  // namespace squall::cases
