#include "squall/mcp/names.h"
#include "squall/server/host_policy.h"
#include "squall/server/serve.h"

#include "batch.h"
#include "dispatch.h"
#include "document_slot.h"
#include "engine_state.h"
#include "envelope.h"
#include "handshake.h"
#include "http_outlets.h"
#include "http_replies.h"
#include "http_rules.h"
#include "logging.h"
#include "weak_set.h"

namespace squall::server {

namespace {

using transport::HttpExchange;
using transport::HttpReply;
using transport::HttpRequest;
using Exchange = std::shared_ptr<HttpExchange>;

class Headers final : public HeaderSource {
 public:
  explicit Headers(const HttpRequest& request) : request_(request) {}
  std::optional<std::string_view> header(std::string_view name) const override {
    return request_.header(name);
  }

 private:
  const HttpRequest& request_;
};

class Endpoint final : public HttpEndpoint {
 public:
  Endpoint(runtime::Loop& loop, Engine& engine, const HttpOptions& options)
      : loop_(loop),
        engine_(engine),
        keep_alive_(std::make_shared<KeepAlive>(loop, engine.options().keep_alive)),
        path_(options.path),
        metrics_(options.metrics),
        policy_(options.allow_hosts, options.allow_origins),
        legacy_(options.sessions ? engine.options().legacy : Legacy::stateless) {}
  ~Endpoint() override {
    loop_.cancel(reclaiming_);
    // A request holds itself while its handler waits; nobody else would let go of it.
    under_way_.for_each([](ServedRequest& request) { request.cancel(); });
  }

  std::optional<HttpReply> on_head(const HttpRequest& head) override;
  void on_request(HttpRequest request, Exchange exchange) override;
  HttpReply on_refused(int status, std::string_view reason) override {
    log_refused(engine_, Severity::info, reason, std::to_string(status));
    return error_reply(status, mcp::code::kTransport, reason);
  }
  void stop(bool all) override;

 private:
  /// Answers what needs no body, or can't have one.
  std::optional<HttpReply> answer_head(const HttpRequest& head) const;
  void post(HttpRequest& request, const Exchange& exchange);
  void serve(const HttpRequest& request, Inbound inbound, const Exchange& exchange);
  void serve_modern(const HttpRequest& request, Inbound inbound, const Exchange& exchange);
  void serve_legacy(const HttpRequest& request, Inbound inbound, const Exchange& exchange);
  void call_legacy(const HttpRequest& request, Inbound inbound, const Exchange& exchange,
                   mcp::Revision revision, std::shared_ptr<Session> session);
  void initialize(const HttpRequest& request, const Inbound& inbound, const Exchange& exchange);
  void serve_batch(const HttpRequest& request, const std::shared_ptr<json::Document>& document,
                   const Exchange& exchange);
  void get(const HttpRequest& request, const Exchange& exchange);
  void remove(const HttpRequest& request, const Exchange& exchange);
  /// The session a request names; null with `refusal` set when it can't be served in one.
  std::shared_ptr<Session> session_of(const HttpRequest& request,
                                      std::optional<HttpReply>& refusal);

  /// Ends idle sessions when their time has come, whether or not anybody asks for anything.
  void reclaim_sessions();

  /// Sends a request on its way, and remembers it when it isn't answered at once.
  void begin(const HttpRequest& http, const std::shared_ptr<ServedRequest>& request);

  runtime::Loop& loop_;
  Engine& engine_;
  std::shared_ptr<KeepAlive> keep_alive_;
  WeakSet<ServedRequest> under_way_;
  DocumentSlot documents_;
  PipelineView pipelines_{engine_.state()};
  std::string path_;
  const std::function<std::string()> metrics_;
  HostPolicy policy_;
  const Legacy legacy_;
  runtime::TimerId reclaiming_ = runtime::TimerId::none;
  std::string allowed_host_;  // the last one that was: clients mostly name the same
};

// --- before the body

std::optional<HttpReply> Endpoint::on_head(const HttpRequest& head) {
  const std::string_view host = head.header("Host").value_or("");
  if (host != allowed_host_ || host.empty()) {
    if (!policy_.allows_host(host)) {
      log_refused(engine_, Severity::warning, "host", host);
      return error_reply(403, mcp::code::kTransport,
                         "this Host is not allowed here (the server's --allow-host adds names)");
    }
    allowed_host_ = host;
  }
  if (const auto origin = head.header("Origin"); origin && !policy_.allows_origin(*origin)) {
    log_refused(engine_, Severity::warning, "origin", *origin);
    return error_reply(403, mcp::code::kTransport,
                       "this Origin is not allowed here (the server's --allow-origin adds more)");
  }
  std::optional<HttpReply> reply = answer_head(head);
  if (const auto origin = head.header("Origin"); origin && reply) {
    for (auto& header : origin_headers(*origin)) reply->headers.push_back(std::move(header));
  }
  return reply;
}

std::optional<HttpReply> Endpoint::answer_head(const HttpRequest& head) const {
  if (head.path == "/healthz" && (head.method == "GET" || head.method == "HEAD")) {
    HttpReply reply;
    reply.content_type = "text/plain";
    reply.body = "ok\n";
    return reply;
  }
  if (metrics_ && head.path == "/metrics" && (head.method == "GET" || head.method == "HEAD")) {
    HttpReply reply;
    reply.content_type = "text/plain; version=0.0.4";
    reply.body = metrics_();
    return reply;
  }
  if (head.path != path_) {
    return error_reply(404, mcp::code::kTransport, "nothing here; MCP is at " + path_);
  }
  if (head.method == "OPTIONS") return cors_reply(head);
  if (head.method != "POST" && head.method != "GET" && head.method != "DELETE") {
    return method_not_allowed(legacy_ != Legacy::stateless);
  }
  if (head.method != "POST") return std::nullopt;
  return bad_content(head);
}

void Endpoint::on_request(HttpRequest request, Exchange exchange) {
  if (const auto origin = request.header("Origin")) {
    for (const auto& [name, value] : origin_headers(*origin)) exchange->add_header(name, value);
  }
  if (request.method == "GET") return get(request, exchange);
  if (request.method == "DELETE") return remove(request, exchange);
  post(request, exchange);
}

void Endpoint::begin(const HttpRequest& http, const std::shared_ptr<ServedRequest>& request) {
  const Headers headers(http);
  request->headers = &headers;
  dispatch(request);
  request->headers = nullptr;
  if (request->over()) return;
  under_way_.add(request);
  request->outlet().wait();
}

void Endpoint::stop(bool all) {
  under_way_.for_each([all](ServedRequest& request) {
    if (!all && !request.waits_forever && request.answers_due == 0) return;
    request.respond_error(jsonrpc::code::kInternalError, "the server is stopping");
  });
}

// --- POST

void Endpoint::post(HttpRequest& request, const Exchange& exchange) {
  const std::size_t bytes = request.body.size();
  const std::string excerpt = excerpt_of(engine_, request.body);
  auto document = documents_.take(bytes);
  if (const auto parsed = document->parse(std::move(request.body)); !parsed) {
    log_bad_message(engine_, "parse error", bytes, excerpt);
    return exchange->reply(
        error_reply(400, jsonrpc::code::kParseError, "parse error: " + parsed.error().text()));
  }
  if (document->root().is_array()) return serve_batch(request, document, exchange);
  auto message = jsonrpc::read_message(document->root());
  if (!message) {
    log_bad_message(engine_, message.error().message, bytes, excerpt);
    return exchange->reply(
        error_reply(400, message.error().code, message.error().message, message.error().id));
  }
  serve(request, {std::move(document), std::move(*message)}, exchange);
}

void Endpoint::serve(const HttpRequest& request, Inbound inbound, const Exchange& exchange) {
  const jsonrpc::Message& message = inbound.message;
  if (message.kind != jsonrpc::MessageKind::request) log_one_way(engine_, message);
  if (message.kind == jsonrpc::MessageKind::request) {
    if (claims_modern(message)) return serve_modern(request, std::move(inbound), exchange);
    if (auto refusal = check_claimless(message, Headers(request))) {
      return exchange->reply(to_reply(*refusal, message.id));
    }
  } else if (message.kind == jsonrpc::MessageKind::notification) {
    // A modern client's notifications say nothing that its closed sockets haven't said.
    const auto version = request.header(mcp::header::kProtocolVersion);
    if (claims_modern(message) || (version && mcp::is_modern_text(*version))) {
      return exchange->reply(accepted());
    }
  }
  serve_legacy(request, std::move(inbound), exchange);
}

void Endpoint::serve_modern(const HttpRequest& request, Inbound inbound, const Exchange& exchange) {
  const Headers headers(request);
  const auto envelope = check_modern(inbound.message, *pipelines_.current(), &headers);
  if (!envelope) return exchange->reply(to_reply(envelope.error(), inbound.message.id));
  jsonrpc::Id id = inbound.message.id;
  auto served = make_served_request(
      engine_, loop_, pipelines_.current(), std::move(inbound), envelope->revision,
      std::make_unique<ReplyOutlet>(exchange, keep_alive_, nullptr, std::move(id)), nullptr);
  served->client = envelope->client;
  served->log_level = envelope->log_level;
  begin(request, served);
  if (served->over() || served->is_task()) return;
  // 2026-07-28: a closed connection is the cancellation.
  exchange->on_gone([weak = std::weak_ptr(served)] {
    if (const auto request_gone = weak.lock()) request_gone->lose_caller();
  });
}

// --- legacy

std::shared_ptr<Session> Endpoint::session_of(const HttpRequest& request,
                                              std::optional<HttpReply>& refusal) {
  const auto id = request.header(mcp::header::kSessionId);
  if (legacy_ == Legacy::stateless) return nullptr;
  if (!id) {
    if (legacy_ == Legacy::sessions) {
      refusal = error_reply(400, mcp::code::kTransport, "a session id is required");
    }
    return nullptr;
  }
  auto session = engine_.state().find_session(*id, loop_.now());
  if (!session) {
    refusal = error_reply(404, mcp::code::kSessionNotFound, "session not found");
  } else {
    refusal = other_version(request, session->revision);
  }
  return session;
}

void Endpoint::serve_legacy(const HttpRequest& request, Inbound inbound, const Exchange& exchange) {
  if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
    return exchange->reply(error_reply(406, mcp::code::kTransport,
                                       "Accept must list application/json and text/event-stream"));
  }
  if (auto refusal = bad_version(request)) return exchange->reply(std::move(*refusal));
  const jsonrpc::Message& message = inbound.message;
  if (message.kind == jsonrpc::MessageKind::request && message.method == mcp::method::kInitialize) {
    return initialize(request, inbound, exchange);
  }
  std::optional<HttpReply> refusal;
  auto session = session_of(request, refusal);
  if (refusal) return exchange->reply(std::move(*refusal));
  if (message.kind == jsonrpc::MessageKind::request) {
    const mcp::Revision revision = session ? session->revision : stateless_revision(request);
    return call_legacy(request, std::move(inbound), exchange, revision, std::move(session));
  }
  if (session) {
    take_one_way(*session, message);
  } else if (message.kind != jsonrpc::MessageKind::notification) {
    return exchange->reply(error_reply(400, jsonrpc::code::kInvalidRequest,
                                       "a response without a session answers nobody"));
  }
  exchange->reply(accepted());
}

void Endpoint::call_legacy(const HttpRequest& request, Inbound inbound, const Exchange& exchange,
                           mcp::Revision revision, std::shared_ptr<Session> session) {
  const jsonrpc::Id id = inbound.message.id;
  if (session && !session->reserve(id, engine_.options().requests_max)) {
    return exchange->reply(error_reply(200, jsonrpc::code::kInvalidRequest,
                                       "this id is in use, or too many requests are under way",
                                       id));
  }
  std::unique_ptr<Outlet> outlet;
  const bool resumable = session && session->streams->resumable() &&
                         mcp::supports(revision, mcp::Feature::resumable_streams);
  if (resumable) {
    outlet = std::make_unique<ResumableOutlet>(exchange, keep_alive_, session, id);
  } else {
    outlet = std::make_unique<ReplyOutlet>(exchange, keep_alive_, session, id);
  }
  auto served = make_served_request(engine_, loop_, pipelines_.current(), std::move(inbound),
                                    revision, std::move(outlet), session);
  if (session) {
    served->client = session->client;
    session->begin(served);
  }
  begin(request, served);
  if (served->over()) return;
  if (!session) {
    // Nobody can cancel a stateless call, or come back for its result.
    exchange->on_gone([weak = std::weak_ptr(served)] {
      if (const auto request_gone = weak.lock()) request_gone->cancel();
    });
  } else if (!resumable) {
    exchange->on_gone([attachment = Session::Attachment(session, loop_)] {});
  }
}

void Endpoint::initialize(const HttpRequest& request, const Inbound& inbound,
                          const Exchange& exchange) {
  const jsonrpc::Id& id = inbound.message.id;
  if (const auto named = request.header(mcp::header::kSessionId)) {
    if (legacy_ != Legacy::stateless && !engine_.state().find_session(*named, loop_.now())) {
      return exchange->reply(
          error_reply(404, mcp::code::kSessionNotFound, "session not found", id));
    }
    return exchange->reply(
        error_reply(400, jsonrpc::code::kInvalidRequest, "the session is already initialized", id));
  }
  const auto hello = read_initialize(inbound.message);
  if (!hello) {
    return exchange->reply(error_reply(200, hello.error().code, hello.error().message, id));
  }
  HttpReply reply = json_reply(200, {});
  if (legacy_ != Legacy::stateless) {
    const auto session = engine_.state().make_session(hello->revision, hello->client, loop_.now());
    if (!session) {
      return exchange->reply(error_reply(503, mcp::code::kTransport, "all sessions are busy", id));
    }
    reply.headers.emplace_back(mcp::header::kSessionId, session->id);
    if (reclaiming_ == runtime::TimerId::none) reclaim_sessions();
  }
  jsonrpc::write_result(reply.body, id, initialize_members(*pipelines_.current(), hello->revision));
  exchange->reply(std::move(reply));
}

void Endpoint::reclaim_sessions() {
  reclaiming_ = runtime::TimerId::none;
  const auto next = engine_.state().reclaim(loop_.now());
  if (!next) return;
  reclaiming_ = loop_.call_after(*next - loop_.now(), [this] { reclaim_sessions(); });
}

void Endpoint::serve_batch(const HttpRequest& request,
                           const std::shared_ptr<json::Document>& document,
                           const Exchange& exchange) {
  const auto refuse = [&](std::string_view why) {
    exchange->reply(error_reply(400, jsonrpc::code::kInvalidRequest, why));
  };
  const auto version = request.header(mcp::header::kProtocolVersion);
  if (version && mcp::is_modern_text(*version)) {
    return refuse("batches belong to sessions of 2025-03-26 alone");
  }
  std::optional<HttpReply> refusal = bad_version(request);
  if (refusal) return exchange->reply(std::move(*refusal));
  auto session = session_of(request, refusal);
  if (refusal) return exchange->reply(std::move(*refusal));
  const mcp::Revision revision = session ? session->revision : stateless_revision(request);
  const bool named = session || version;
  if (!named || !mcp::supports(revision, mcp::Feature::batches)) {
    return refuse("batches belong to sessions of 2025-03-26 alone");
  }
  const std::span<const json::Value> items = document->root().items();
  if (items.empty() || items.size() > kBatchMessagesMax) {
    return refuse("a batch has 1 to 100 messages");
  }
  auto carrier = std::make_unique<ReplyOutlet>(exchange, keep_alive_, session, jsonrpc::Id());
  const auto batch = std::make_shared<Batch>(std::move(carrier),
                                             [exchange](Outlet& outlet, std::string responses) {
                                               if (responses.empty())
                                                 return exchange->reply(accepted());
                                               outlet.finish(200, responses);
                                             });
  std::vector<std::weak_ptr<ServedRequest>> waiting;
  for (const json::Value& item : items) {
    auto message = batch->read(item);
    if (!message) continue;
    if (message->kind == jsonrpc::MessageKind::request) {
      const jsonrpc::Id id = message->id;
      if (session && !session->reserve(id, engine_.options().requests_max)) {
        batch->refuse(id, "this id is in use");
        continue;
      }
      auto ended = [session, id] {
        if (session) session->end(id);
      };
      auto served = make_served_request(
          engine_, loop_, pipelines_.current(), Inbound{document, std::move(*message)}, revision,
          std::make_unique<BatchOutlet>(batch, std::move(ended)), session);
      if (session) {
        served->client = session->client;
        session->begin(served);
      }
      begin(request, served);
      if (!served->over()) waiting.push_back(served);
    } else if (session) {
      take_one_way(*session, *message);
    }
  }
  if (waiting.empty()) return;
  if (session) return exchange->on_gone([attachment = Session::Attachment(session, loop_)] {});
  exchange->on_gone([waiting = std::move(waiting)] {
    for (const auto& weak : waiting) {
      if (const auto request_gone = weak.lock()) request_gone->cancel();
    }
  });
}

// --- GET and DELETE

void Endpoint::get(const HttpRequest& request, const Exchange& exchange) {
  if (!accepts(request, "text/event-stream")) {
    return exchange->reply(
        error_reply(406, mcp::code::kTransport, "Accept must list text/event-stream"));
  }
  const auto version = request.header(mcp::header::kProtocolVersion);
  if (legacy_ == Legacy::stateless || (version && mcp::is_modern_text(*version)) ||
      (!request.header(mcp::header::kSessionId) && legacy_ == Legacy::both)) {
    return exchange->reply(method_not_allowed(false));
  }
  std::optional<HttpReply> refusal = bad_version(request);
  if (refusal) return exchange->reply(std::move(*refusal));
  const auto session = session_of(request, refusal);
  if (refusal) return exchange->reply(std::move(*refusal));
  const HttpReply& head = sse_head();
  const auto last = request.header(mcp::header::kLastEventId);
  if (!last || !session->streams->resume(*last, exchange, head)) {
    session->streams->attach_standalone(exchange, head);
  }
  keep_alive_->add(exchange);
  exchange->on_gone([weak = std::weak_ptr(session), raw = exchange.get(),
                     attachment = Session::Attachment(session, loop_)] {
    if (const auto gone = weak.lock()) gone->streams->detach(raw);
  });
}

void Endpoint::remove(const HttpRequest& request, const Exchange& exchange) {
  const auto id = request.header(mcp::header::kSessionId);
  const auto version = request.header(mcp::header::kProtocolVersion);
  if (!id || legacy_ == Legacy::stateless || (version && mcp::is_modern_text(*version))) {
    return exchange->reply(method_not_allowed(false));
  }
  std::optional<HttpReply> refusal = bad_version(request);
  if (!refusal) session_of(request, refusal);
  if (refusal) return exchange->reply(std::move(*refusal));
  engine_.state().remove_session(*id);
  exchange->reply(HttpReply{});
}

}  // namespace

std::unique_ptr<HttpEndpoint> make_http_endpoint(runtime::Loop& loop, Engine& engine,
                                                 const HttpOptions& options) {
  return std::make_unique<Endpoint>(loop, engine, options);
}

}  // namespace squall::server
