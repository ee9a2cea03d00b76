#pragma once

#include <algorithm>
#include <cctype>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/transport/http.h"
#include "squall/transport/sse.h"

#include "test_support.h"

/// @file A client over HTTP on virtual time, and a server that a test scripts reply by reply.

namespace squall::client::test {

/// One request as the scripted server saw it.
struct Seen {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  json::Value body;
  [[nodiscard]] std::string header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      if (base_equal(key, name)) return value;
    }
    return "";
  }
  static bool base_equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
             return std::tolower(static_cast<unsigned char>(x)) ==
                    std::tolower(static_cast<unsigned char>(y));
           });
  }
};

using Exchange = std::shared_ptr<transport::HttpExchange>;

class ScriptedHttp final : private transport::HttpHandler {
 public:
  using OnRequest = std::function<void(ScriptedHttp&, const Seen&, Exchange)>;

  ScriptedHttp(runtime::Loop& its_loop, OnRequest on_request)
      : loop(its_loop), on_request_(std::move(on_request)), server_(its_loop, *this) {
    const auto listening = server_.listen({});
    EXPECT_TRUE(listening.has_value());
  }
  [[nodiscard]] std::string url(std::string_view path = "/mcp") const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + std::string(path);
  }
  [[nodiscard]] int count(std::string_view method, std::string_view rpc = "") const {
    int found = 0;
    for (const Seen& request : seen) {
      found += request.method == method && (rpc.empty() || method_of(request.body) == rpc) ? 1 : 0;
    }
    return found;
  }

  runtime::Loop& loop;
  std::vector<Seen> seen;

 private:
  std::optional<transport::HttpReply> on_head(const transport::HttpRequest&) override {
    return std::nullopt;
  }
  void on_request(transport::HttpRequest request, Exchange exchange) override {
    Seen now;
    now.method = std::string(request.method);
    now.target = std::string(request.target);
    for (const auto& [name, value] : request.headers) now.headers.emplace_back(name, value);
    if (!request.body.empty()) now.body = value_of(request.body);
    seen.push_back(now);
    on_request_(*this, now, std::move(exchange));
  }
  transport::HttpReply on_refused(int status, std::string_view) override {
    transport::HttpReply reply;
    reply.status = status;
    return reply;
  }

  OnRequest on_request_;
  transport::HttpServer server_;
};

inline void reply(const Exchange& exchange, int status, std::string_view body = "",
                  std::string_view type = "application/json",
                  std::vector<std::pair<std::string, std::string>> headers = {}) {
  transport::HttpReply out;
  out.status = status;
  if (!body.empty()) out.content_type = std::string(type);
  out.headers = std::move(headers);
  out.body = std::string(body);
  exchange->reply(std::move(out));
}

inline std::string id_text(const json::Value& message) {
  return json::to_string(*message.find("id"));
}
inline std::string result_text(const json::Value& request, std::string_view members) {
  return R"({"jsonrpc":"2.0","id":)" + id_text(request) + R"(,"result":{)" + std::string(members) +
         "}}";
}
inline std::string error_text(std::string_view id, int code, std::string_view data = "null") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":{"code":)" +
         std::to_string(code) + R"(,"message":"no","data":)" + std::string(data) + "}}";
}

/// Opens an event stream with `first` as its first bytes.
inline void open_stream(const Exchange& exchange, std::string_view first,
                        std::string_view type = "text/event-stream") {
  transport::HttpReply head;
  head.content_type = std::string(type);
  exchange->open(head, first);
}
inline std::string event(std::string_view data, std::string_view id = "") {
  std::string out;
  transport::SseEvent event;
  event.id = id;
  event.data = data;
  transport::append_sse(out, event);
  return out;
}

/// The handshake over HTTP; whether the request was part of it.
inline bool shake_hands(const Seen& request, const Exchange& exchange, bool modern,
                        std::string_view session = "s1") {
  const std::string_view method = method_of(request.body);
  if (method == "server/discover") {
    if (modern) {
      reply(exchange, 200,
            result_text(request.body, R"("supportedVersions":["2026-07-28"],"capabilities":{},)"
                                      R"("resultType":"complete","ttlMs":0,)"
                                      R"("cacheScope":"private")"));
    } else {
      reply(exchange, 400, error_text("null", -32000));
    }
    return true;
  }
  if (method == "initialize") {
    std::vector<std::pair<std::string, std::string>> headers;
    if (!session.empty()) headers.emplace_back("Mcp-Session-Id", session);
    reply(
        exchange, 200,
        result_text(request.body, R"("protocolVersion":"2025-11-25","capabilities":{"tools":{}})"),
        "application/json", headers);
    return true;
  }
  if (method == "notifications/initialized") {
    reply(exchange, 202);
    return true;
  }
  if (request.method == "GET" && request.header("last-event-id").empty()) {
    reply(exchange, 405);
    return true;
  }
  if (request.method == "DELETE") {
    reply(exchange, 200);
    return true;
  }
  return false;
}

/// A client and a scripted server, connected over HTTP.
class HttpBench {
 public:
  using Script = std::function<void(const Seen&, const Exchange&)>;

  explicit HttpBench(bool modern, Script script, Options options = {}, HttpLinkOptions http = {})
      : modern_(modern) {
    auto on_request = [this, script = std::move(script)](ScriptedHttp&, const Seen& request,
                                                         const Exchange& exchange) {
      if (override_handshake || !shake_hands(request, exchange, modern_)) {
        script(request, exchange);
      }
    };
    server = std::make_unique<ScriptedHttp>(*loop, std::move(on_request));
    options.observer = &witness;
    if (!options.jitter) options.jitter = [] { return 1.0; };
    auto link = over_http(*loop, server->url(), std::move(http));
    EXPECT_TRUE(link.has_value());
    client = std::make_unique<Client>(*loop, *std::move(link), options);
  }
  void connect() {
    const Outcome<Server> found = finish(*loop, client->connect());
    ASSERT_TRUE(found.has_value()) << found.error().message;
    ASSERT_EQ(client->is_modern(), modern_);
  }
  Outcome<ToolResult> call(std::string name, CallOptions options = CallOptions(),
                           json::Value arguments = {}) {
    return finish(*loop,
                  client->call_tool(std::move(name), std::move(arguments), std::move(options)));
  }
  void pass(runtime::Duration span) { loop->advance(span); }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  Witness witness;
  std::unique_ptr<ScriptedHttp> server;
  std::unique_ptr<Client> client;
  bool override_handshake = false;  // the script sees the handshake too

 private:
  bool modern_;
};

}  // namespace squall::client::test
