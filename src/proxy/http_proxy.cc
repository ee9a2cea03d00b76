#include "squall/proxy/http_proxy.h"

#include <charconv>
#include <csignal>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/jsonrpc/message.h"
#include "squall/mcp/names.h"
#include "squall/server/host_policy.h"
#include "squall/transport/sse.h"

#include "commands.h"
#include "fetch.h"

namespace squall::proxy {

namespace {

using inject::Command;
using inject::Ended;
using inject::Opened;
using inject::Send;
using std::chrono::nanoseconds;
using transport::HttpReply;
using transport::HttpRequest;

/// What a slow reader may leave behind before it is cut off.
constexpr std::size_t kBacklogMax = std::size_t{16} << 20;
constexpr std::size_t kIgnoredMax = 1'000;  // connections that are accepted and never served

const Headers kStream = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache"}};
const Headers kJson = {{"Content-Type", "application/json"}};

class HttpProxy final : private transport::HttpHandler,
                        private Fetch::Owner,
                        private Commands::Owner {
 public:
  HttpProxy(runtime::SystemLoop& loop, inject::Injector& injector, HttpOptions options)
      : loop_(loop),
        injector_(injector),
        options_(std::move(options)),
        relay_(injector, options_.relay),
        policy_(options_.allow_hosts, options_.allow_origins),
        client_(loop, options_.client),
        server_(loop, *this, options_.http),
        began_(loop.now()) {}
  ~HttpProxy() { alive_.reset(); }

  Result<std::string> run() {
    if (options_.url.empty()) {
      commands_ =
          std::make_unique<Commands>(loop_, options_.command, options_.message_bytes_max,
                                     options_.processes_max, static_cast<Commands::Owner&>(*this));
    } else {
      SQUALL_TRY(url_, transport::Url::parse(options_.url));
    }
    const runtime::ListenOptions listen{options_.host, options_.port};
    SQUALL_TRY(listener_, loop_.listen(listen, [this](auto stream) { accept(std::move(stream)); }));
    if (options_.watch_signals) SQUALL_CHECK(watch_signals());
    if (options_.on_ready) SQUALL_CHECK(options_.on_ready(listener_->port()));
    loop_.run();
    return why_;
  }

 private:
  /// A request of a client, until its response has been written.
  struct Open {
    Exchange exchange = 0;
    std::shared_ptr<Reply> reply;
    LinePtr line;
    std::string method;       // of HTTP
    bool asks = false;        // a JSON-RPC request
    bool initialize = false;  // that one
    unsigned status = 200;    // so with the next two: as the server has them
    Headers headers = kJson;
    bool stream = false;
    bool server_done = false;   // nothing more comes from the server
    bool silent = false;        // a fault keeps the response back for good
    std::uint64_t delayed = 0;  // messages on their way
    std::unique_ptr<Fetch> fetch;
  };
  using OpenPtr = std::shared_ptr<Open>;
  /// What a command may have to do with the arrival that it answers.
  struct Cause {
    std::uint64_t in = 0;
    bool untouched = true;
    bool unchanged = true;
    std::string event_id{};
    std::string block{};  // of the stream, as it came; "" of no stream
  };
  /// A request on its way to the server, until that has it.
  struct Request {
    Headers headers;
  };

  [[nodiscard]] nanoseconds now() const { return loop_.now() - began_; }
  void tell(std::string_view line) const {
    if (options_.tell) options_.tell(line);
  }
  template <typename Task>
  void later(nanoseconds after, Task task) {
    loop_.call_after(after, [alive = std::weak_ptr(alive_), task = std::move(task)]() mutable {
      if (!alive.expired()) task();
    });
  }

  // --- connections

  void accept(std::unique_ptr<runtime::ByteStream> stream) {
    const std::uint64_t number = ++connections_;
    auto wire = std::make_shared<Wire>(loop_, std::move(stream), number,
                                       [this, alive = std::weak_ptr(alive_)](std::uint64_t n) {
                                         if (!alive.expired()) on_wire_over(n);
                                       });
    wires_.emplace(number, wire);
    Line line = line_at(number);
    carry_out(relay_.opened(Opened::What::connection, line, 0, now()), {});
    if (wire->served()) return server_.accept(wire->handle());
    ignored_.push_back(number);
    if (ignored_.size() <= kIgnoredMax) return;
    wires_.erase(ignored_.front());
    ignored_.pop_front();
  }
  static Line line_at(std::uint64_t connection) {
    Line line;
    line.connection = connection;
    line.transport = fault::Transport::http;
    return line;
  }
  void on_wire_over(std::uint64_t number) {
    if (wires_.erase(number) == 0) return;
    lines_.erase(number);
    carry_out(relay_.ended(Ended::What::connection, line_at(number), now()), {});
  }
  [[nodiscard]] std::shared_ptr<Wire> wire_of(std::string_view peer) const {
    constexpr std::string_view kName = "connection ";
    std::uint64_t number = 0;
    if (!peer.starts_with(kName)) return nullptr;
    peer.remove_prefix(kName.size());
    std::from_chars(peer.data(), peer.data() + peer.size(), number);
    const auto at = wires_.find(number);
    return at == wires_.end() ? nullptr : at->second;
  }

  // --- requests

  std::optional<HttpReply> on_head(const HttpRequest& head) override {
    if (!policy_.allows_host(head.header("Host").value_or(""))) {
      return error_reply(403, mcp::code::kTransport, "this Host is not allowed here");
    }
    if (const auto origin = head.header("Origin"); origin && !policy_.allows_origin(*origin)) {
      return error_reply(403, mcp::code::kTransport, "this Origin is not allowed here");
    }
    if (head.path == "/healthz" && (head.method == "GET" || head.method == "HEAD")) {
      HttpReply reply;
      reply.content_type = "text/plain";
      reply.body = "ok\n";
      return reply;
    }
    if (head.path != options_.path) {
      return error_reply(404, mcp::code::kTransport, "nothing here; MCP is at " + options_.path);
    }
    if (options_.refuse_authorization && head.header("Authorization")) {
      return error_reply(403, mcp::code::kTransport, "this proxy passes no credentials on");
    }
    return std::nullopt;
  }
  HttpReply on_refused(int status, std::string_view reason) override {
    return error_reply(status, mcp::code::kTransport, reason);
  }

  void on_request(HttpRequest request, std::shared_ptr<transport::HttpExchange> exchange) override {
    const auto wire = wire_of(exchange->peer());
    if (wire == nullptr) return;  // gone while the request was read
    Headers headers;
    headers.reserve(request.headers.size());
    for (const auto& [name, value] : request.headers) headers.emplace_back(name, value);
    headers = end_to_end(headers);
    take_other_session(headers);
    const std::string* session = find_header(headers, mcp::header::kSessionId);
    const auto message = json::parse(request.body, {.duplicates = json::Duplicates::keep});
    const bool asks =
        message && message->is_object() && message->contains("method") && message->contains("id");
    const bool initialize = asks && message->find_string("method") == mcp::method::kInitialize;
    auto open = std::make_shared<Open>();
    open->reply = std::make_shared<Reply>(exchange, wire);
    open->method = std::string(request.method);
    open->asks = asks;
    open->initialize = initialize;
    open->line = session != nullptr && !initialize ? session_line(*session)
                                                   : own_line(wire->number(), initialize);
    if (open->line == nullptr) {
      return exchange->reply(error_reply(404, mcp::code::kSessionNotFound, "Session not found"));
    }
    open->line->connection = wire->number();
    if (commands_ != nullptr && !find_process(*open, message)) return;
    FromClient arrival;
    arrival.bytes = std::move(request.body);
    arrival.http_method = open->method;
    arrival.now = now();
    const Request going{std::move(headers)};
    const std::vector<inject::Header> views(going.headers.begin(), going.headers.end());
    arrival.headers = views;
    Actions actions = relay_.from_client(open->line, std::move(arrival));
    const Exchange number = open->exchange = actions.exchange;
    opens_.emplace(number, open);
    exchange->on_gone([this, number] { on_client_gone(number); });
    const bool goes_on = open->asks || open->method != "POST" || is_taken_up(actions);
    current_ = &going;
    carry_out(std::move(actions), {.in = number});
    current_ = nullptr;
    if (goes_on || find(number) != open) return;
    // A notification that ends here is taken all the same: nobody tells what became of it.
    open->reply->whole(202, {}, {});
    drop(open);
  }

  /// Whether somebody answers the request, or is sent it.
  static bool is_taken_up(const Actions& actions) {
    for (const Command& command : actions.commands) {
      const Send* send = std::get_if<Send>(&command);
      if (send != nullptr && send->exchange == actions.exchange) return true;
      if (std::holds_alternative<inject::Answer>(command)) return true;
      if (std::holds_alternative<inject::End>(command)) return true;
    }
    return false;
  }
  /// `accepts-others`: a session that nobody knows is taken for one that is known.
  void take_other_session(Headers& headers) const {
    if (accepting_.empty()) return;
    const std::string* given = find_header(headers, mcp::header::kSessionId);
    if (given == nullptr || sessions_.contains(*given)) return;
    set_header(headers, std::string(mcp::header::kSessionId), accepting_);
  }
  LinePtr session_line(const std::string& session) {
    const auto at = sessions_.find(session);
    if (at != sessions_.end()) return at->second;
    if (commands_ != nullptr) return nullptr;
    // The server's own to judge: it may know it from before our time.
    auto line = std::make_shared<Line>(line_at(0));
    line->session = session;
    keep_session(line);
    return line;
  }
  /// Without a session, a connection is what ids are unique in, as far as anybody can tell.
  LinePtr own_line(std::uint64_t connection, bool initialize) {
    if (initialize) return std::make_shared<Line>(line_at(connection));
    LinePtr& line = lines_[connection];
    if (line == nullptr) line = std::make_shared<Line>(line_at(connection));
    return line;
  }
  void keep_session(const LinePtr& line) {
    if (!sessions_.emplace(line->session, line).second) return;
    session_order_.push_back(line->session);
    if (session_order_.size() <= options_.sessions_max) return;
    end_session(session_order_.front());
  }
  void end_session(const std::string session) {
    std::erase(session_order_, session);
    const auto at = sessions_.find(session);
    if (at == sessions_.end()) return;
    const LinePtr line = at->second;
    sessions_.erase(at);
    streams_.erase(session);
    carry_out(relay_.ended(Ended::What::session, *line, now()), {});
    if (commands_ != nullptr && line->process != 0)
      commands_->stop(line->process, options_.stop_step);
  }

  void on_client_gone(Exchange exchange) {
    const auto at = opens_.find(exchange);
    if (at == opens_.end()) return;
    // Without a session, to leave is to cancel; in one, to leave says nothing.
    const bool cancels = commands_ != nullptr && at->second->line->shared;
    drop(at->second);
    carry_out(relay_.gone(exchange, cancels, now()), {});
  }
  /// Nothing more is written for it.
  void drop(const OpenPtr& open) {
    const auto stream = streams_.find(open->line->session);
    if (stream != streams_.end() && stream->second == open->exchange) streams_.erase(stream);
    open->server_done = true;
    if (open->fetch) {
      // We may be inside one of its calls.
      loop_.post([fetch = std::shared_ptr<Fetch>(std::move(open->fetch))] {});
    }
    opens_.erase(open->exchange);
  }

  // --- the server on HTTP

  void send_request(const Send& send, const OpenPtr& open, Headers headers) {
    if (open->fetch != nullptr || open->server_done) {
      return tell("a second request of one exchange has nowhere to go");
    }
    for (const std::string& name : send.drop_headers) {
      std::erase_if(headers, [&name](const auto& header) {
        return base::equals_ignoring_case(header.first, name);
      });
    }
    for (const auto& [name, value] : send.set_headers) set_header(headers, name, value);
    for (const auto& [name, value] : options_.headers) set_header(headers, name, value);
    if (const std::string* name = find_header(headers, mcp::header::kName);
        name != nullptr && !options_.relay.prefix.empty() &&
        name->starts_with(options_.relay.prefix)) {
      std::string own = name->substr(options_.relay.prefix.size());
      set_header(headers, std::string(mcp::header::kName), std::move(own));
    }
    transport::HttpClientRequest request;
    request.method = open->method;
    request.headers = std::move(headers);
    request.body = *send.bytes;
    open->fetch = std::make_unique<Fetch>(client_, static_cast<Fetch::Owner&>(*this),
                                          open->exchange, options_.message_bytes_max);
    open->fetch->start(url_, std::move(request));
  }
  void on_head(std::uint64_t exchange, unsigned status, Headers headers, bool stream) override {
    const OpenPtr open = find(exchange);
    if (open == nullptr) return;
    open->status = status;
    open->headers = std::move(headers);
    open->stream = stream;
    const std::string* session = find_header(open->headers, mcp::header::kSessionId);
    if (open->initialize && session != nullptr && status < 300) begin_session(open, *session);
    if (open->method == "GET" && stream && status < 300) {
      streams_[open->line->session] = exchange;
      carry_out(relay_.opened(Opened::What::stream, *open->line, exchange, now()), {});
    }
    // Of a call the head goes with the first event: until then a fault may answer otherwise.
    if (stream && open->method == "GET") open->reply->open(status, open->headers);
  }
  void begin_session(const OpenPtr& open, const std::string& session) {
    open->line->session = session;
    keep_session(open->line);
    carry_out(relay_.opened(Opened::What::session, *open->line, open->exchange, now()), {});
  }
  void on_event(std::uint64_t exchange, std::string_view block,
                transport::SseReader::Event event) override {
    const OpenPtr open = find(exchange);
    if (open == nullptr) return;
    if (event.data.empty()) return pass_block(open, block);
    FromServer arrival;
    arrival.bytes = std::move(event.data);
    arrival.exchange = exchange;
    arrival.event_id = event.last_id;
    arrival.on_stream = true;
    arrival.now = now();
    Cause cause;
    cause.event_id = event.last_id;
    cause.block = block;
    hear(open->line, std::move(arrival), std::move(cause));
  }
  /// A part of a stream without a message: a comment, an id alone.
  void pass_block(const OpenPtr& open, std::string_view block) {
    if (open->delayed != 0 || open->silent) return;
    if (!open->reply->begun() && !shaped_to(*open, inject::Shape::Framing::json)) {
      open_stream(*open);
    }
    if (open->reply->begun()) open->reply->write(block);
  }
  void on_body(std::uint64_t exchange, std::string body) override {
    const OpenPtr open = find(exchange);
    if (open == nullptr) return;
    open->server_done = true;
    const std::string* type = find_header(open->headers, "Content-Type");
    const bool json = type != nullptr && base::to_lower(*type).starts_with("application/json");
    if (!open->asks || !json || body.empty()) return pass_body(open, std::move(body));
    FromServer arrival;
    arrival.bytes = std::move(body);
    arrival.exchange = exchange;
    arrival.now = now();
    hear(open->line, std::move(arrival), {});
  }
  /// A response that carries no message: handed on as it is.
  void pass_body(const OpenPtr& open, std::string body) {
    const bool ended = open->method == "DELETE" && open->status < 300;
    const std::string session = open->line->session;
    if (!open->reply->begun()) open->reply->whole(open->status, open->headers, std::move(body));
    if (open->asks) carry_out(relay_.gone(open->exchange, false, now()), {});
    drop(open);
    if (ended) end_session(session);
  }
  void on_stream_end(std::uint64_t exchange) override {
    const OpenPtr open = find(exchange);
    if (open == nullptr) return;
    open->server_done = true;
    finish_if_done(open);
  }
  void on_failed(std::uint64_t exchange, const std::string& why, bool /*sent*/) override {
    const OpenPtr open = find(exchange);
    if (open == nullptr) return;
    tell("the server: " + why);
    if (open->reply->begun()) {
      open->reply->cut(inject::Cut::abort);
    } else {
      open->reply->whole(502, kJson, error_body(mcp::code::kTransport, "the server: " + why));
    }
    if (open->asks) carry_out(relay_.gone(exchange, false, now()), {});
    drop(open);
  }

  // --- servers that are commands

  /// Finds who is to be asked; false when the request has been answered already.
  bool find_process(Open& open, const auto& message) {
    const bool modern = message && message->is_object() && is_modern(*message);
    const auto refuse = [&open](unsigned status, int code, std::string_view why) {
      open.reply->whole(status, kJson, error_body(code, why));
      return false;
    };
    if (open.method != "POST" && open.line->session.empty()) {
      return refuse(405, mcp::code::kTransport, "Method not allowed.");
    }
    if (open.method == "POST" && !message) {
      return refuse(400, jsonrpc::code::kParseError, message.error().text());
    }
    if (open.initialize) return start_process(open, refuse);
    if (!open.line->session.empty()) return true;
    if (!modern) return refuse(400, mcp::code::kTransport, "Bad Request: Session ID required");
    open.line->shared = true;
    open.line->process = shared_process_;
    if (shared_process_ != 0) return true;
    if (!start_process(open, refuse)) return false;
    shared_process_ = open.line->process;
    return true;
  }
  static bool is_modern(const json::Value& message) {
    const json::Value* params = message.find("params");
    const json::Value* meta =
        params == nullptr || !params->is_object() ? nullptr : params->find("_meta");
    return meta != nullptr && meta->is_object() && meta->contains(mcp::meta::kProtocolVersion);
  }
  bool start_process(Open& open, const auto& refuse) {
    const auto number = commands_->start();
    if (!number) return refuse(502, mcp::code::kTransport, number.error().message);
    open.line->process = *number;
    if (options_.relay.recorder != nullptr) {
      recording::Spawn spawn;
      spawn.process = static_cast<std::uint32_t>(*number);
      spawn.command = options_.command.command;
      spawn.pid = commands_->pid(*number);
      options_.relay.recorder->add(now(), std::move(spawn));
    }
    carry_out(relay_.opened(Opened::What::process, *open.line, 0, now()), {});
    if (open.initialize) processes_[*number] = open.line;
    commands_->begin(*number);
    return true;
  }
  void send_to_command(const Send& send, const OpenPtr& open) {
    if (!commands_->send(open->line->process, *send.bytes)) {
      return on_failed(open->exchange, "it has ended", false);
    }
    if (open->asks) return;
    open->reply->whole(202, {}, {});
    drop(open);
  }
  /// GET and DELETE are ours to answer.
  void answer_bare(const OpenPtr& open) {
    if (open->method == "DELETE") {
      const std::string session = open->line->session;
      open->reply->whole(200, {}, {});
      drop(open);
      return end_session(session);
    }
    streams_[open->line->session] = open->exchange;
    open->stream = true;
    carry_out(relay_.opened(Opened::What::stream, *open->line, open->exchange, now()), {});
    open->reply->open(200, kStream);
  }
  void on_command_message(std::uint64_t process, std::string text) override {
    const auto at = processes_.find(process);
    FromServer arrival;
    arrival.bytes = std::move(text);
    arrival.now = now();
    hear(at == processes_.end() ? nullptr : at->second, std::move(arrival), {});
  }
  void on_command_stderr(std::string_view bytes) override {
    if (options_.on_stderr) options_.on_stderr(bytes);
  }
  void on_command_note(std::string_view line) override { tell(line); }
  void on_command_over(std::uint64_t process, const std::string& how,
                       recording::Exit record) override {
    if (options_.relay.recorder != nullptr) options_.relay.recorder->add(now(), std::move(record));
    if (process == shared_process_) shared_process_ = 0;
    std::vector<OpenPtr> waiting;
    for (const auto& [exchange, open] : opens_) {
      if (open->line->process == process) waiting.push_back(open);
    }
    for (const OpenPtr& open : waiting) on_failed(open->exchange, how, true);
    const auto at = processes_.find(process);
    if (at == processes_.end()) return;
    const LinePtr line = at->second;
    processes_.erase(at);
    carry_out(relay_.ended(Ended::What::process, *line, now()), {});
    if (!line->session.empty()) end_session(line->session);
  }

  // --- what is to be done

  [[nodiscard]] OpenPtr find(Exchange exchange) const {
    const auto at = opens_.find(exchange);
    return at == opens_.end() ? nullptr : at->second;
  }
  void hear(const LinePtr& line, FromServer arrival, Cause cause) {
    // A session is to be told of before the response that begins it.
    const bool told = arrival.exchange != 0;
    Actions actions = relay_.from_server(line, std::move(arrival));
    const OpenPtr open = find(actions.exchange);
    cause.in = actions.in;
    cause.untouched = actions.untouched;
    cause.unchanged = actions.unchanged;
    if (open != nullptr && commands_ != nullptr && !told && open->initialize &&
        open->line->session.empty() && actions.answers) {
      const std::string session = base::random_uuid();
      open->headers.emplace_back(mcp::header::kSessionId, session);
      begin_session(open, session);
    }
    const bool answers = actions.answers;
    const bool silent = !actions.untouched && answers && !says_last(actions);
    carry_out(std::move(actions), std::move(cause));
    if (open == nullptr || !answers) return finish_learning();
    open->silent = open->silent || silent;
    finish_learning();
  }
  void finish_learning() {
    if (!options_.on_learned) return;
    const std::size_t known =
        (relay_.server_info().is_null() ? 0U : 1U) + (relay_.tools_sha256().empty() ? 0U : 1U);
    if (known == std::exchange(learned_, known)) return;
    options_.on_learned(relay_.server_info(), relay_.tools_sha256());
  }
  static bool says_last(const Actions& actions) {
    for (const Command& command : actions.commands) {
      if (const Send* send = std::get_if<Send>(&command); send != nullptr && send->last)
        return true;
      if (std::holds_alternative<inject::Answer>(command)) return true;
      if (std::holds_alternative<inject::End>(command)) return true;
    }
    return false;
  }

  void carry_out(Actions actions, Cause cause) {
    cause.untouched = actions.untouched;
    cause.unchanged = actions.unchanged;
    for (Command& command : actions.commands) run(command, cause);
  }
  void run(Command& command, const Cause& cause) {
    if (Send* send = std::get_if<Send>(&command)) {
      note(cause, send->rule, send->how);
      return send->to == Send::To::client ? send_down(std::move(*send), cause)
                                          : send_up(std::move(*send), cause);
    }
    if (auto* answer = std::get_if<inject::Answer>(&command)) {
      note(cause, answer->rule, answer->how);
      return later(answer->after, [this, one = std::move(*answer)] { answer_with(one); });
    }
    if (auto* end = std::get_if<inject::End>(&command)) {
      note(cause, end->rule, end->how_text);
      if (end->after.count() == 0) return end_with(*end);
      return later(end->after, [this, one = std::move(*end)] { end_with(one); });
    }
    if (auto* shape = std::get_if<inject::Shape>(&command)) {
      note(cause, shape->rule, shape->how);
      const OpenPtr open = find(shape->exchange);
      if (open != nullptr) open->reply->shape(std::move(*shape));
      return;
    }
    if (auto* line = std::get_if<inject::Line>(&command)) {
      note(cause, line->rule, line->how);
      const auto at = wires_.find(line->connection);
      if (at != wires_.end()) at->second->befall(*line);
      return;
    }
    if (auto* act = std::get_if<inject::SessionAct>(&command)) {
      accepting_ = act->session;
      return;
    }
    if (const auto* wake = std::get_if<inject::Wake>(&command)) {
      later(wake->after,
            [this, token = wake->token] { carry_out(relay_.woken(token, now()), {}); });
    }
    // A ProcessAct can't come: its kinds have no meaning over HTTP, and are refused.
  }
  void note(const Cause& cause, const std::string& rule, const std::string& how) const {
    if (options_.detail && !rule.empty()) {
      options_.detail("#" + std::to_string(cause.in) + " " + rule + ": " + how);
    }
  }

  void send_up(Send send, const Cause& cause) {
    const OpenPtr open = find(send.exchange);
    if (open == nullptr) {
      // Ours to the server alone: a cancellation.
      const LinePtr line = relay_.line_of(send.exchange);
      if (commands_ == nullptr) return;
      const std::uint64_t process = line != nullptr ? line->process : shared_process_;
      static_cast<void>(commands_->send(process, *send.bytes));
      return;
    }
    Headers headers = current_ != nullptr ? current_->headers : Headers{};
    if (send.after.count() == 0) return hand_up(send, open, std::move(headers), cause);
    const nanoseconds after = send.after;
    later(after,
          [this, send = std::move(send), open, headers = std::move(headers), cause]() mutable {
            if (find(open->exchange) == open) hand_up(send, open, std::move(headers), cause);
          });
  }
  void hand_up(const Send& send, const OpenPtr& open, Headers headers, const Cause& cause) {
    if (!cause.untouched) relay_.delivered(send, cause.in, open->line.get(), now());
    if (commands_ == nullptr) return send_request(send, open, std::move(headers));
    if (open->method != "POST") return answer_bare(open);
    send_to_command(send, open);
  }

  void send_down(Send send, const Cause& cause) {
    const OpenPtr open = target_of(send);
    if (open == nullptr) return;
    if (send.after.count() == 0) return hand_down(send, open, cause);
    ++open->delayed;
    const nanoseconds after = send.after;
    later(after, [this, send = std::move(send), open, cause] {
      --open->delayed;
      if (find(open->exchange) != open) return;
      hand_down(send, open, cause);
      finish_if_done(open);
    });
  }
  /// Whose stream or response carries it; null when nobody is there to hear it.
  OpenPtr target_of(const Send& send) const {
    if (send.via == Send::Via::other_exchange) return find(send.other);
    if (send.via == Send::Via::own && send.exchange != 0) return find(send.exchange);
    const OpenPtr own = find(send.exchange);
    const std::string& session = own != nullptr ? own->line->session : send.session;
    if (const auto stream = streams_.find(session); stream != streams_.end()) {
      return find(stream->second);
    }
    if (send.via == Send::Via::get_stream || commands_ == nullptr || session.empty())
      return nullptr;
    // What a command asks while it is asked itself can go with any answer to come.
    for (const auto& [exchange, open] : opens_) {
      if (open->asks && open->line->session == session) return open;
    }
    return nullptr;
  }
  static bool shaped_to(const Open& open, inject::Shape::Framing framing) {
    return open.reply->shape() && open.reply->shape()->framing == framing;
  }

  void hand_down(const Send& send, const OpenPtr& open, const Cause& cause) {
    Reply& reply = *open->reply;
    if (!cause.untouched) relay_.delivered(send, cause.in, open->line.get(), now());
    const bool foreign = send.via != Send::Via::own;
    const bool last = send.last && !foreign;
    const bool json = shaped_to(*open, inject::Shape::Framing::json);
    const bool wants_stream = reply.begun() || open->stream || !send.last ||
                              send.form == Send::Form::event ||
                              shaped_to(*open, inject::Shape::Framing::stream);
    if (!reply.begun() && wants_stream && !json) open_stream(*open);
    if (!reply.begun()) {
      // JSON has room for one message: what isn't the response is lost.
      if (!last) return;
      Headers headers = open->headers;
      if (open->stream) set_header(headers, "Content-Type", "application/json");
      reply.whole(open->status, std::move(headers), *send.bytes);
    } else if (send.form != Send::Form::message) {
      reply.write(*send.bytes);
    } else if (cause.untouched && cause.unchanged && !cause.block.empty()) {
      reply.write(cause.block);
    } else {
      std::string event;
      transport::append_sse(event, {.id = cause.event_id, .retry_ms = {}, .data = *send.bytes});
      reply.write(event);
    }
    if (reply.pending() > kBacklogMax) {
      tell("a client that reads too slowly is cut off");
      reply.cut(inject::Cut::abort);
      return drop(open);
    }
    if (!last) return;
    // An untouched stream ends when the server ends it.
    if (cause.untouched && open->stream && commands_ == nullptr) return finish_if_done(open);
    open->server_done = true;
    finish_if_done(open);
  }
  static void open_stream(Open& open) {
    Headers headers = open.headers;
    if (!open.stream) {
      std::erase_if(headers, [](const auto& header) {
        return base::equals_ignoring_case(header.first, "Content-Type");
      });
      headers.insert(headers.begin(), kStream.begin(), kStream.end());
    }
    open.reply->open(open.status, std::move(headers));
  }
  void finish_if_done(const OpenPtr& open) {
    if (!open->server_done || open->delayed != 0 || open->silent) return;
    if (find(open->exchange) != open) return;
    if (!open->reply->begun()) open_stream(*open);
    if (!open->reply->over()) open->reply->finish();
    if (open->asks) carry_out(relay_.gone(open->exchange, false, now()), {});
    drop(open);
  }

  void answer_with(const inject::Answer& answer) {
    const OpenPtr open = find(answer.exchange);
    if (open == nullptr) return;
    open->reply->whole(answer.status, answer.headers, answer.body);
    if (!open->reply->over()) open->reply->cut(inject::Cut::abort);
    drop(open);
  }
  void end_with(const inject::End& end) {
    const OpenPtr open = find(end.exchange);
    if (open == nullptr) return;
    if (end.how == inject::Cut::close && !open->reply->begun()) open_stream(*open);
    open->reply->cut(end.how);
    drop(open);
  }

  // --- the end

  Result<void> watch_signals() {
    for (const int number : {SIGTERM, SIGINT}) {
      SQUALL_CHECK(loop_.on_signal(number, [this] {
        if (!why_.empty()) return loop_.stop();
        why_ = "interrupted";
        stop();
      }));
    }
    return loop_.on_signal(SIGUSR1, [this] {
      const bool on = !injector_.enabled();
      carry_out(relay_.set_enabled(on, now()), {});
      tell(on ? "faults are on" : "faults are off");
    });
  }
  /// What waits for nothing but its end ends; the rest may finish.
  void stop() {
    listener_.reset();
    std::vector<OpenPtr> streams;
    for (const auto& [exchange, open] : opens_) {
      if (open->method == "GET") streams.push_back(open);
    }
    for (const OpenPtr& open : streams) {
      open->reply->begun() ? open->reply->finish() : open->reply->cut(inject::Cut::abort);
      drop(open);
    }
    server_.drain([this] { loop_.stop(); });
    later(options_.stop_within, [this] { loop_.stop(); });
  }

  runtime::SystemLoop& loop_;
  inject::Injector& injector_;
  HttpOptions options_;
  Relay relay_;
  server::HostPolicy policy_;
  transport::Url url_;
  transport::HttpClient client_;
  std::map<std::uint64_t, std::shared_ptr<Wire>> wires_;
  transport::HttpServer server_;
  std::unique_ptr<runtime::Listener> listener_;
  runtime::TimePoint began_;
  std::unique_ptr<Commands> commands_;
  std::uint64_t connections_ = 0;
  std::deque<std::uint64_t> ignored_;
  std::map<Exchange, OpenPtr> opens_;
  std::unordered_map<std::uint64_t, LinePtr> lines_;  // of connections without a session
  std::unordered_map<std::string, LinePtr> sessions_;
  std::deque<std::string> session_order_;              // oldest first
  std::unordered_map<std::string, Exchange> streams_;  // of sessions: their GET
  std::map<std::uint64_t, LinePtr> processes_;         // of one session each
  std::uint64_t shared_process_ = 0;
  std::string accepting_;
  const Request* current_ = nullptr;  // while its commands are carried out
  std::size_t learned_ = 0;
  std::string why_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // what timers look at
};

}  // namespace

Result<std::string> run_http_proxy(runtime::SystemLoop& loop, inject::Injector& injector,
                                   HttpOptions options) {
  HttpProxy proxy(loop, injector, std::move(options));
  return proxy.run();
}

}  // namespace squall::proxy
