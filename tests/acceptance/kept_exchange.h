#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/server/serve.h"

namespace squall::acceptance {

/// One request's way back over HTTP: keeps all that is sent.
class KeptExchange final : public transport::HttpExchange {
 public:
  explicit KeptExchange(runtime::Loop& loop) : loop_(loop) {}
  int status = 0;
  std::string body;     ///< of a reply, or the stream so far
  std::string session;  ///< `Mcp-Session-Id`
  bool done = false;

  void add_header(std::string_view name, std::string_view value) override {
    if (name == "Mcp-Session-Id") session = value;
  }
  void reply(transport::HttpReply reply) override {
    note(reply);
    body = reply.body;
    done = true;
  }
  void reply_json(int code, std::string_view text) override {
    status = code;
    body = text;
    done = true;
  }
  void open(const transport::HttpReply& head, std::string_view first) override {
    note(head);
    body += first;
  }
  void write(std::string_view bytes) override { body += bytes; }
  void finish() override { done = true; }
  void drop(bool) override { done = true; }
  [[nodiscard]] bool open_for_writing() const override { return !done; }
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void on_gone(std::move_only_function<void()> handler) override { gone_ = std::move(handler); }
  void on_drained(std::move_only_function<void()>) override {}
  [[nodiscard]] runtime::Loop& loop() override { return loop_; }
  [[nodiscard]] std::string peer() const override { return "test"; }
  /// The client leaves.
  void hang_up() {
    if (auto handler = std::exchange(gone_, nullptr)) handler();
  }

 private:
  void note(const transport::HttpReply& head) {
    status = head.status;
    for (const auto& [name, value] : head.headers) add_header(name, value);
  }
  runtime::Loop& loop_;
  std::move_only_function<void()> gone_;
};

/// A server over HTTP without a socket, on virtual time.
class LocalHttp {
 public:
  LocalHttp(runtime::SimulatedLoop& loop, server::Engine& engine,
            const server::HttpOptions& options = {})
      : loop_(loop), endpoint_(server::make_http_endpoint(loop, engine, options)) {}
  LocalHttp(const LocalHttp&) = delete;
  LocalHttp& operator=(const LocalHttp&) = delete;
  /// All clients leave, as they do when a server closes its connections: a stream that stays open
  /// and its exchange keep each other.
  ~LocalHttp() {
    for (const auto& started : exchanges_) {
      if (const auto exchange = started.lock()) exchange->hang_up();
    }
    settle();
  }

  /// Starts a request; a session's when `session` isn't "", a modern one's for `name` when that
  /// isn't.
  std::shared_ptr<KeptExchange> start(std::string_view method, std::string body,
                                      std::string_view session = "", std::string_view name = "") {
    transport::HttpRequest request;
    request.method = method;
    request.target = request.path = "/mcp";
    request.headers = {
        {"Host", "127.0.0.1"},
        {"Content-Type", "application/json"},
        {"Accept", body.empty() ? "text/event-stream" : "application/json, text/event-stream"}};
    if (!session.empty()) {
      request.headers.emplace_back("Mcp-Session-Id", session);
      request.headers.emplace_back("MCP-Protocol-Version", "2025-11-25");
    }
    if (!name.empty()) {
      request.headers.emplace_back("MCP-Protocol-Version", "2026-07-28");
      request.headers.emplace_back("Mcp-Method", "tools/call");
      request.headers.emplace_back("Mcp-Name", name);
    }
    request.body = std::move(body);
    return start(std::move(request));
  }
  std::shared_ptr<KeptExchange> start(transport::HttpRequest request) {
    auto exchange = std::make_shared<KeptExchange>(loop_);
    exchanges_.push_back(exchange);
    if (auto refusal = endpoint_->on_head(request)) {
      exchange->reply(*std::move(refusal));
    } else {
      endpoint_->on_request(std::move(request), exchange);
    }
    settle();
    return exchange;
  }
  void settle() {
    while (loop_.run_ready()) {
    }
  }
  /// Opens a session; its id.
  std::string initialize() {
    const std::string session =
        start("POST", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
                      R"("protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                      R"("clientInfo":{"name":"c","version":"1"}}})")
            ->session;
    start("POST", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
    return session;
  }

 private:
  runtime::SimulatedLoop& loop_;
  std::unique_ptr<server::HttpEndpoint> endpoint_;
  std::vector<std::weak_ptr<KeptExchange>> exchanges_;
};

inline constexpr std::string_view kEnvelope =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

/// A tools/call with `arguments` as JSON text; `more` are further members of its params, "" or
/// ending in a comma.
inline std::string call_of(int id, std::string_view tool, std::string_view arguments, bool modern,
                           std::string_view more = "") {
  std::string out = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                    R"(,"method":"tools/call","params":{)" + std::string(more) + R"("name":")" +
                    std::string(tool) + R"(","arguments":)" + std::string(arguments);
  if (modern) out += "," + std::string(kEnvelope);
  return out + "}}";
}

}  // namespace squall::acceptance
