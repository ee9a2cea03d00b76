#include "squall/proxy/relay.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/jsonrpc/message.h"
#include "squall/mcp/names.h"

#include "slices.h"

namespace squall::proxy {

namespace {

using inject::Command;
using inject::Send;
using std::chrono::nanoseconds;

// As deep as faults read messages.
constexpr std::size_t kDepthMax = 1'000;
constexpr std::size_t kSnippetMax = 200;  // bytes of what is no message, for people

/// A message as far as a relay needs to know it. Views the value.
struct Read {
  std::string_view method;  ///< "" of a response, and of what is no message
  const json::Value* id = nullptr;
  const json::Value* params = nullptr;
  const json::Value* result = nullptr;
  bool is_response = false;
  [[nodiscard]] bool is_request() const { return !method.empty() && id != nullptr; }
};

std::optional<json::Value> parse_message(std::string_view bytes) {
  // A name that stands twice makes nothing a message of less.
  const json::ParseOptions options{.duplicates = json::Duplicates::keep,
                                   .limits = {.depth = kDepthMax}};
  auto value = json::parse(bytes, options);
  if (!value || !value->is_object()) return std::nullopt;
  return *std::move(value);
}

Read read(const std::optional<json::Value>& message) {
  Read out;
  if (!message) return out;
  out.id = message->find("id");
  if (out.id != nullptr && out.id->is_null()) out.id = nullptr;
  const json::Value* method = message->find("method");
  if (method != nullptr) {
    if (method->is_string()) out.method = method->string();
    out.params = message->find("params");
    return out;
  }
  out.result = message->find("result");
  out.is_response = out.id != nullptr;
  return out;
}

const json::Value* member(const json::Value* value, std::string_view name) {
  return value == nullptr || !value->is_object() ? nullptr : value->find(name);
}

/// What an id or token is known by: `7` and `"7"` differ, `7` and `7.0` don't, for no server need
/// keep to a number's spelling. "" of none.
std::string key_of(const json::Value* value) {
  if (value == nullptr || !(value->is_string() || value->is_number())) return {};
  return json::canonical(*value).value_or(json::to_string(*value));
}

const json::Value* token_of(const Read& message) {
  return member(member(message.params, "_meta"), mcp::meta::kProgressToken);
}

std::string hash_of(const json::Value& tools) {
  const auto text = json::canonical(tools);
  if (!text) return {};
  const base::Sha256 hash = base::sha256(*text);
  return base::hex_encode({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

}  // namespace

class Relay::State {
 public:
  State(inject::Injector& injector, RelayOptions options)
      : injector_(injector), options_(std::move(options)) {}

  Actions from_client(const LinePtr& line, FromClient arrival) {
    Actions out;
    out.in = out.exchange = ++arrivals_;
    record_message(out.in, *line, recording::Party::client, arrival.bytes, arrival.http_method);
    const auto message = parse_message(arrival.bytes);
    const Read it = read(message);
    learn_revision(*line, it);
    if (it.method == mcp::notification::kCancelled && cancel(out, *line, it, arrival.now)) {
      return out;
    }
    std::optional<json::Value> bare;  // the message with the tool's own name
    std::string bytes = std::move(arrival.bytes);
    if (!options_.prefix.empty() && it.method == mcp::method::kToolsCall) {
      auto stripped = without_prefix(bytes, it);
      if (!stripped) return refuse_tool(std::move(out), *line, it);
      bytes = *std::move(stripped);
      bare = parse_message(bytes);
      out.unchanged = false;
    }
    if (it.is_request()) {
      note(out.exchange, line, it, arrival.now);
    }
    inject::ClientMessage event;
    event.exchange = out.exchange;
    event.place = line->place();
    event.bytes = bytes;
    event.message = bare ? &*bare : (message ? &*message : nullptr);
    event.http_method = arrival.http_method;
    event.headers = arrival.headers;
    event.now = arrival.now;
    inject::Reaction reaction = injector_.on(event);
    take(out, std::move(reaction), std::move(bytes), Send::To::upstream, *line);
    if (it.is_request()) settle(out.commands);
    return out;
  }

  Actions from_server(const LinePtr& given, FromServer arrival) {
    Actions out;
    out.in = ++arrivals_;
    auto message = parse_message(arrival.bytes);
    Read it = read(message);
    out.exchange = arrival.exchange != 0 ? arrival.exchange : owner_of(it, given.get());
    if (out.exchange == 0 && given == nullptr && !it.method.empty() && it.id == nullptr) {
      out.exchange = only_request();
    }
    const auto known = pending_.find(out.exchange);
    const LinePtr line = known != pending_.end() ? known->second.line : given;
    if (line == nullptr) return nobodys(std::move(out), it, arrival);
    std::string bytes = std::move(arrival.bytes);
    if (line->shared && known != pending_.end() && arrival.exchange == 0) {
      std::string own = restored(bytes, it, known->second);
      if (own != bytes) {
        bytes = std::move(own);
        message = parse_message(bytes);
        it = read(message);
        out.unchanged = false;
      }
    }
    record_message(out.in, *line, recording::Party::server, bytes, {});
    if (known != pending_.end() && arrival.exchange != 0 && is_foreign(bytes, it, message)) {
      bytes = foreign_answer(known->second, bytes);
      message = parse_message(bytes);
      it = read(message);
      out.unchanged = false;
    }
    const bool answers = out.answers = it.is_response && known != pending_.end();
    if (answers) learn(known->second, it);
    inject::ServerMessage event;
    event.in = out.in;
    event.exchange = out.exchange;
    event.place = line->place();
    event.bytes = bytes;
    event.message = message ? &*message : nullptr;
    event.event_id = arrival.event_id;
    event.on_stream = arrival.on_stream;
    event.now = arrival.now;
    inject::Reaction reaction = injector_.on(event);
    take(out, std::move(reaction), std::move(bytes), Send::To::client, *line);
    if (out.untouched) std::get<Send>(out.commands.front()).last = answers;
    if (answers && !settle(out.commands)) over(out.exchange);
    return out;
  }

  Actions simple(inject::Reaction reaction) {
    Actions out;
    take_records(reaction);
    out.untouched = reaction.untouched;
    out.commands = std::move(reaction.commands);
    dress(out);
    settle(out.commands);
    return out;
  }

  Actions opened(inject::Opened::What what, const Line& line, Exchange exchange, nanoseconds now) {
    now_ = now;
    record_opening(what, line);
    return simple(injector_.on(inject::Opened{what, line.place(), exchange, now}));
  }
  Actions ended(inject::Ended::What what, const Line& line, nanoseconds now) {
    now_ = now;
    return simple(injector_.on(inject::Ended{what, 0, line.place(), now}));
  }
  Actions gone(Exchange exchange, bool tell, nanoseconds now) {
    now_ = now;
    const auto known = pending_.find(exchange);
    if (known == pending_.end()) return {};
    const LinePtr line = known->second.line;
    const bool told = tell && known->second.sent && !known->second.answered;
    const std::string id = line->shared ? std::to_string(exchange) : known->second.id_text;
    forget(exchange);
    Actions out = simple(
        injector_.on(inject::Ended{inject::Ended::What::exchange, exchange, line->place(), now}));
    if (!told) return out;
    Send send;
    send.to = Send::To::upstream;
    send.bytes.emplace();
    jsonrpc::write_call(*send.bytes, {}, mcp::notification::kCancelled,
                        "{\"requestId\":" + id + ",\"reason\":\"the client is gone\"}");
    out.commands.emplace_back(std::move(send));
    return out;
  }
  Actions woken(std::uint64_t token, nanoseconds now) {
    now_ = now;
    return simple(injector_.on(inject::Woken{token, now}));
  }
  Actions set_enabled(bool enabled, nanoseconds now) {
    now_ = now;
    return simple(injector_.set_enabled(enabled, now));
  }

  void delivered(const Send& send, std::uint64_t in, const Line* line, nanoseconds now) {
    if (options_.recorder == nullptr) return;
    recording::Delivered record = inject::to_record(send, *send.bytes);
    record.connection = static_cast<std::uint32_t>(
        line != nullptr && line->connection != 0 ? line->connection : send.connection);
    record.to = send.to == Send::To::client ? recording::Party::client : recording::Party::server;
    record.in = in != 0 ? in : send.exchange;
    record.out = ++deliveries_;
    options_.recorder->add(now, std::move(record));
  }
  [[nodiscard]] LinePtr line_of(Exchange exchange) const {
    const auto known = pending_.find(exchange);
    return known == pending_.end() ? nullptr : known->second.line;
  }
  [[nodiscard]] std::size_t pending() const noexcept { return pending_.size(); }

  std::uint64_t unclaimed = 0;
  json::Value server_info;
  std::string tools_sha256;

 private:
  /// A request of a client, until nothing more can come for it.
  struct Pending {
    LinePtr line;
    std::string id;       // by which it is known
    std::string id_text;  // as it was written
    std::string token;    // so with these two; "" without one
    std::string token_text;
    bool initialize = false;
    bool lists_tools = false;
    bool first_page = false;
    bool listens = false;  // to what changes: nothing else is its own
    bool sent = false;
    bool answered = false;
  };
  using Key = std::pair<const Line*, std::string>;

  // --- what arrives

  void record_message(std::uint64_t in, const Line& line, recording::Party from,
                      std::string_view bytes, std::string_view http_method) {
    if (options_.recorder == nullptr) return;
    recording::Message record;
    record.connection = static_cast<std::uint32_t>(line.connection);
    record.from = from;
    record.in = in;
    record.payload = recording::Payload(bytes);
    if (!http_method.empty() && http_method != "POST") {
      record.http = json::Value::object({{"method", http_method}});
    }
    options_.recorder->add(now_, std::move(record));
  }
  void record_opening(inject::Opened::What what, const Line& line) {
    if (options_.recorder == nullptr || what != inject::Opened::What::connection) return;
    recording::Connect record;
    record.connection = static_cast<std::uint32_t>(line.connection);
    record.transport = line.transport == fault::Transport::http ? "http" : "stdio";
    record.session = line.session;
    options_.recorder->add(now_, std::move(record));
  }
  void learn_revision(Line& line, const Read& it) {
    const json::Value* revision = member(member(it.params, "_meta"), mcp::meta::kProtocolVersion);
    if (revision != nullptr && revision->is_string()) line.revision = revision->string();
  }
  void learn(const Pending& known, const Read& it) {
    const json::Value* info = member(it.result, "serverInfo");
    if (info == nullptr) info = member(member(it.result, "_meta"), mcp::meta::kServerInfo);
    if (info != nullptr && info->is_object() && server_info.is_null()) server_info = *info;
    if (known.initialize) {
      const json::Value* revision = member(it.result, "protocolVersion");
      if (revision != nullptr && revision->is_string()) known.line->revision = revision->string();
    }
    const json::Value* tools = known.first_page ? member(it.result, "tools") : nullptr;
    if (tools != nullptr && tools_sha256.empty()) tools_sha256 = hash_of(*tools);
  }

  void note(Exchange exchange, const LinePtr& line, const Read& it, nanoseconds now) {
    Pending known;
    known.line = line;
    known.id = key_of(it.id);
    known.id_text = json::to_string(*it.id);
    if (const json::Value* token = token_of(it)) {
      known.token = key_of(token);
      known.token_text = json::to_string(*token);
    }
    known.initialize = it.method == mcp::method::kInitialize;
    known.lists_tools = it.method == mcp::method::kToolsList;
    known.listens = it.method == mcp::method::kListen;
    known.first_page = known.lists_tools && member(it.params, "cursor") == nullptr;
    while (pending_.size() >= options_.pending_max) {
      const Exchange oldest = pending_.begin()->first;
      const LinePtr its = pending_.begin()->second.line;
      forget(oldest);
      auto reaction =
          injector_.on(inject::Ended{inject::Ended::What::exchange, oldest, its->place(), now});
      take_records(reaction);
    }
    by_id_[{line.get(), known.id}] = exchange;
    if (!known.token.empty()) by_token_[{line.get(), known.token}] = exchange;
    pending_.emplace(exchange, std::move(known));
  }
  void forget(Exchange exchange) {
    const auto known = pending_.find(exchange);
    if (known == pending_.end()) return;
    const auto drop = [&](auto& index, const std::string& key) {
      const auto at = index.find(Key{known->second.line.get(), key});
      if (at != index.end() && at->second == exchange) index.erase(at);
    };
    drop(by_id_, known->second.id);
    drop(by_token_, known->second.token);
    pending_.erase(known);
  }
  /// No more is expected of it, and some may come.
  void over(Exchange exchange) {
    const auto known = pending_.find(exchange);
    if (known == pending_.end() || std::exchange(known->second.answered, true)) return;
    over_.push_back(exchange);
    if (over_.size() <= options_.over_max) return;
    forget(over_.front());
    over_.pop_front();
  }
  [[nodiscard]] Exchange find(const std::map<Key, Exchange>& index, const Line* line,
                              const json::Value* value) const {
    const auto at = index.find(Key{line, key_of(value)});
    return at == index.end() ? 0 : at->second;
  }
  /// The request that has this number for its id upstream.
  [[nodiscard]] Exchange numbered(const json::Value* value) const {
    const std::string text = key_of(value);
    Exchange number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return 0;
    return pending_.contains(number) ? number : 0;
  }
  /// The request that a message of the server belongs to, as far as the message tells.
  [[nodiscard]] Exchange owner_of(const Read& it, const Line* line) const {
    const bool shared = line == nullptr || line->shared;
    const json::Value* meta = member(it.is_response ? it.result : it.params, "_meta");
    const json::Value* subscription = member(meta, mcp::meta::kSubscriptionId);
    const json::Value* id = it.is_response ? it.id : subscription;
    if (it.method == mcp::notification::kCancelled && shared) {
      id = member(it.params, "requestId");
    }
    if (it.method == mcp::notification::kProgress) {
      const json::Value* token = member(it.params, mcp::meta::kProgressToken);
      return shared ? numbered(token) : find(by_token_, line, token);
    }
    if (id == nullptr) return 0;
    const Exchange found = shared ? numbered(id) : find(by_id_, line, id);
    const auto known = pending_.find(found);
    // A second response to one request belongs to nothing any more.
    if (it.is_response && known != pending_.end() && known->second.answered && !shared) {
      return known->second.sent ? found : 0;
    }
    return found;
  }

  /// The one request that a server shared by several is working at, or 0: what it reports (a log
  /// message) without saying to whom can only be that one's.
  [[nodiscard]] Exchange only_request() const {
    Exchange found = 0;
    for (const auto& [exchange, known] : pending_) {
      if (!known.line->shared || known.answered || known.listens || !known.sent) continue;
      if (found != 0) return 0;
      found = exchange;
    }
    return found;
  }

  /// A message of a server that several share, which nobody can be found for.
  Actions nobodys(Actions out, const Read& it, FromServer& arrival) {
    ++unclaimed;
    if (!it.is_request()) return out;
    // In the only revision where clients share a server it asks nothing; one that does must hear.
    Send send;
    send.to = Send::To::upstream;
    send.bytes.emplace();
    jsonrpc::write_error(*send.bytes, jsonrpc::Id::from(*it.id), jsonrpc::code::kMethodNotFound,
                         "several clients share this server: nobody can be asked");
    static_cast<void>(arrival);
    out.commands.emplace_back(std::move(send));
    return out;
  }

  /// Whether an HTTP reply carried something else than JSON-RPC.
  [[nodiscard]] static bool is_foreign(std::string_view bytes, const Read& it,
                                       const std::optional<json::Value>& message) {
    if (!it.method.empty()) return false;
    if (message) return it.result == nullptr && !message->contains("error");
    return !base::trim(bytes).starts_with('[');  // a batch is the server's affair
  }
  /// What its client is told instead: it could make nothing of that.
  [[nodiscard]] static std::string foreign_answer(const Pending& known, std::string_view bytes) {
    std::string out;
    const auto id = json::parse(known.id_text);
    jsonrpc::write_error(out, id ? jsonrpc::Id::from(*id) : jsonrpc::Id(),
                         jsonrpc::code::kInternalError,
                         "the server answered with something else than JSON-RPC: " +
                             base::show_name(bytes.substr(0, kSnippetMax)));
    return out;
  }

  /// Whether the notification goes no further.
  bool cancel(Actions& out, const Line& line, const Read& it, nanoseconds now) {
    const Exchange target = find(by_id_, &line, member(it.params, "requestId"));
    const auto known = pending_.find(target);
    // Under ids of ours, a request that nobody knows may be somebody else's.
    if (known == pending_.end()) return line.shared;
    out.cancelled = target;
    auto reaction =
        injector_.on(inject::Ended{inject::Ended::What::cancelled, target, line.place(), now});
    take_records(reaction);
    const bool swallowed = !reaction.untouched;
    out.untouched = reaction.untouched;
    out.commands = std::move(reaction.commands);
    dress(out);
    if (!settle(out.commands)) over(target);
    return swallowed;
  }

  // --- names

  /// The call with the tool's own name; nothing when no tool of the client's list has that name.
  std::optional<std::string> without_prefix(const std::string& bytes, const Read& it) const {
    const json::Value* name = member(it.params, "name");
    if (name == nullptr || !name->is_string()) return bytes;
    const std::string_view text = name->string();
    if (!text.starts_with(options_.prefix)) return std::nullopt;
    std::string own;
    json::write_string(own, text.substr(options_.prefix.size()));
    return with_value(bytes, {"params", "name"}, own);
  }
  Actions refuse_tool(Actions out, const Line& line, const Read& it) {
    if (it.id == nullptr) return out;
    Send send;
    send.exchange = out.exchange;
    send.connection = line.connection;
    send.session = line.session;
    send.bytes.emplace();
    const json::Value* name = member(it.params, "name");
    jsonrpc::write_error(*send.bytes, jsonrpc::Id::from(*it.id), jsonrpc::code::kInvalidParams,
                         "Unknown tool: " + base::show_name(name->string()));
    send.last = true;
    send.delivery = recording::Delivery::made_up;
    send.how = "no tool has this name here";
    if (options_.recorder != nullptr) {
      recording::Upstream upstream;
      upstream.in = out.in;
      upstream.executed = recording::Executed::no;
      options_.recorder->add(now_, std::move(upstream));
    }
    out.untouched = out.unchanged = false;
    out.commands.emplace_back(std::move(send));
    return out;
  }
  /// A list of tools as the client is to see it.
  [[nodiscard]] std::string dressed(std::string bytes) const {
    if (options_.hide_output_schema) {
      bytes = without_members(std::move(bytes), {"result", "tools", "*", "outputSchema"});
    }
    if (options_.prefix.empty()) return bytes;
    auto names = slices_at(bytes, {"result", "tools", "*", "name"});
    std::erase_if(names, [&bytes](const Slice& name) { return bytes[name.begin] != '"'; });
    for (Slice& name : names) name = {name.begin + 1, name.begin + 1};
    return replaced(bytes, names, options_.prefix);
  }
  void dress(Actions& out) const {
    if (options_.prefix.empty() && !options_.hide_output_schema) return;
    for (Command& command : out.commands) {
      Send* send = std::get_if<Send>(&command);
      if (send == nullptr || send->to != Send::To::client || !send->bytes) continue;
      if (send->form != Send::Form::message) continue;
      const auto known = pending_.find(send->exchange);
      if (known == pending_.end() || !known->second.lists_tools) continue;
      std::string own = dressed(*send->bytes);
      if (own == *send->bytes) continue;
      send->bytes = std::move(own);
      out.unchanged = false;
    }
  }

  // --- ids

  /// The message with the client's ids and tokens, in place of ours.
  [[nodiscard]] static std::string restored(std::string bytes, const Read& it,
                                            const Pending& known) {
    constexpr std::string_view kMeta = "_meta";
    if (it.is_response) {
      bytes = with_value(std::move(bytes), {"id"}, known.id_text);
      return with_value(std::move(bytes), {"result", kMeta, mcp::meta::kSubscriptionId},
                        known.id_text);
    }
    if (it.method == mcp::notification::kProgress) {
      return with_value(std::move(bytes), {"params", mcp::meta::kProgressToken}, known.token_text);
    }
    if (it.method == mcp::notification::kCancelled) {
      return with_value(std::move(bytes), {"params", "requestId"}, known.id_text);
    }
    return with_value(std::move(bytes), {"params", kMeta, mcp::meta::kSubscriptionId},
                      known.id_text);
  }
  /// The message with ids and tokens that are ours.
  [[nodiscard]] std::string numbered(std::string bytes, Exchange exchange, bool token,
                                     Exchange cancelled) const {
    const std::string own = std::to_string(exchange);
    if (cancelled != 0) {
      return with_value(std::move(bytes), {"params", "requestId"}, std::to_string(cancelled));
    }
    bytes = with_value(std::move(bytes), {"id"}, own);
    if (!token) return bytes;
    return with_value(std::move(bytes), {"params", "_meta", mcp::meta::kProgressToken}, own);
  }

  // --- what is to be done

  void take_records(inject::Reaction& reaction) {
    if (options_.recorder == nullptr) return;
    for (recording::EventBody& body : reaction.records) {
      options_.recorder->add(now_, std::move(body));
    }
  }
  /// Makes commands of a reaction, with the bytes for the wire.
  void take(Actions& out, inject::Reaction reaction, std::string bytes, Send::To to,
            const Line& line) {
    take_records(reaction);
    if (reaction.untouched) {
      Send send;
      send.to = to;
      send.exchange = out.exchange;
      send.connection = line.connection;
      send.session = line.session;
      reaction.commands.emplace_back(std::move(send));
    } else {
      out.untouched = false;
    }
    Send* only = nullptr;  // the last that wants what arrived may have it for good
    for (Command& command : reaction.commands) {
      Send* send = std::get_if<Send>(&command);
      if (send == nullptr || send->bytes) continue;
      if (only != nullptr) only->bytes = bytes;
      only = send;
    }
    if (only != nullptr) only->bytes = std::move(bytes);
    for (Command& command : reaction.commands) {
      Send* send = std::get_if<Send>(&command);
      if (send == nullptr || send->to != Send::To::upstream) continue;
      const auto known = pending_.find(send->exchange);
      if (known != pending_.end()) known->second.sent = true;
      if (!line.shared) continue;
      const bool request = known != pending_.end();
      if (!request && out.cancelled == 0) continue;
      send->bytes = numbered(*std::move(send->bytes), send->exchange,
                             request && !known->second.token.empty(), out.cancelled);
      out.unchanged = false;
    }
    for (Command& command : reaction.commands) out.commands.emplace_back(std::move(command));
    dress(out);
  }
  /// Forgets requests whose last word is among the commands; whether there was one.
  bool settle(const std::vector<Command>& commands) {
    bool ended = false;
    for (const Command& command : commands) {
      Exchange exchange = 0;
      if (const Send* send = std::get_if<Send>(&command)) {
        if (send->to == Send::To::client && send->last) exchange = send->exchange;
      } else if (const auto* answer = std::get_if<inject::Answer>(&command)) {
        exchange = answer->exchange;
      } else if (const auto* end = std::get_if<inject::End>(&command)) {
        exchange = end->exchange;
      }
      if (exchange == 0) continue;
      forget(exchange);
      ended = true;
    }
    return ended;
  }

  inject::Injector& injector_;
  RelayOptions options_;
  std::uint64_t arrivals_ = 0;
  std::uint64_t deliveries_ = 0;
  std::map<Exchange, Pending> pending_;  // oldest first
  std::map<Key, Exchange> by_id_;
  std::map<Key, Exchange> by_token_;
  std::deque<Exchange> over_;

 public:
  nanoseconds now_{};
};

Relay::Relay(inject::Injector& injector, RelayOptions options)
    : state_(std::make_unique<State>(injector, std::move(options))) {}
Relay::~Relay() = default;

Actions Relay::from_client(const LinePtr& line, FromClient arrival) {
  state_->now_ = arrival.now;
  return state_->from_client(line, std::move(arrival));
}
Actions Relay::from_server(const LinePtr& line, FromServer arrival) {
  state_->now_ = arrival.now;
  return state_->from_server(line, std::move(arrival));
}
Actions Relay::opened(inject::Opened::What what, const Line& line, Exchange exchange,
                      nanoseconds now) {
  return state_->opened(what, line, exchange, now);
}
Actions Relay::ended(inject::Ended::What what, const Line& line, nanoseconds now) {
  return state_->ended(what, line, now);
}
Actions Relay::gone(Exchange exchange, bool tell, nanoseconds now) {
  return state_->gone(exchange, tell, now);
}
Actions Relay::woken(std::uint64_t token, nanoseconds now) { return state_->woken(token, now); }
Actions Relay::set_enabled(bool enabled, nanoseconds now) {
  return state_->set_enabled(enabled, now);
}
void Relay::delivered(const Send& send, std::uint64_t in, const Line* line, nanoseconds now) {
  state_->delivered(send, in, line, now);
}
LinePtr Relay::line_of(Exchange exchange) const { return state_->line_of(exchange); }
std::size_t Relay::pending() const noexcept { return state_->pending(); }
std::uint64_t Relay::unclaimed() const noexcept { return state_->unclaimed; }
const json::Value& Relay::server_info() const noexcept { return state_->server_info; }
const std::string& Relay::tools_sha256() const noexcept { return state_->tools_sha256; }

}  // namespace squall::proxy
