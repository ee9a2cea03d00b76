#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"
#include "squall/server/engine.h"
#include "squall/transport/channel.h"
#include "squall/transport/http.h"

/// @file Ways to put an engine on the air.

namespace squall::server {

/// Called once a server is up. An error that it returns, if it returns anything, ends the server
/// before it serves and is what the caller gets.
template <typename... Arguments>
class ReadyHandler {
 public:
  ReadyHandler() = default;
  template <typename Handler>
    requires std::invocable<const Handler&, Arguments...>
  ReadyHandler(Handler handler)  // NOLINT(google-explicit-constructor): lambdas are passed as such
      : handler_([handler = std::move(handler)](Arguments... arguments) -> Result<void> {
          if constexpr (std::is_void_v<std::invoke_result_t<const Handler&, Arguments...>>) {
            handler(arguments...);
            return {};
          } else {
            return handler(arguments...);
          }
        }) {}
  [[nodiscard]] Result<void> operator()(Arguments... arguments) const {
    return handler_ ? handler_(arguments...) : Result<void>();
  }

 private:
  std::function<Result<void>(Arguments...)> handler_;
};

/// Whether `text` is what a Host header may say, and so worth allowing: "mcp.example",
/// "mcp.example:8443", "[2001:db8::1]".
[[nodiscard]] bool is_host_and_port(std::string_view text);
/// The same of an Origin header: "https://app.example", with a port or without, and nothing behind.
[[nodiscard]] bool is_origin(std::string_view text);

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: a free one
  std::string path = "/mcp";
  bool sessions = true;  ///< else as `Legacy::stateless`, whatever the engine says
  unsigned threads = 1;
  std::vector<std::string> allow_hosts;          ///< besides loopback names; each must be one
  std::vector<std::string> allow_origins;        ///< besides loopback origins; the same
  transport::HttpServerOptions http;             ///< `connections_max` is of all threads together
  std::string tls_certificate;                   ///< PEM file with the chain; "" serves plain HTTP
  std::string tls_key;                           ///< PEM file
  std::chrono::milliseconds stop_within{5'000};  ///< what is under way may finish until then
  /// What GET /metrics shows (`Metrics::text`); without it there is nothing.
  std::function<std::string()> metrics{};
};

struct StdioOptions {
  transport::LineLimits lines;
  std::chrono::milliseconds stop_within{5'000};  ///< what is under way may finish until then
};

/// Serves MCP over Streamable HTTP at `path`, and "ok" at /healthz, on one loop: what an HttpServer
/// hands its requests to.
class HttpEndpoint : public transport::HttpHandler {
 public:
  virtual ~HttpEndpoint() = default;
  /// Answers the requests under way with an error that says that the server stops: those that wait
  /// for nothing but their end, or all of them.
  virtual void stop(bool all) = 0;
};
/// `loop` and `engine` outlive it.
[[nodiscard]] std::unique_ptr<HttpEndpoint> make_http_endpoint(runtime::Loop& loop, Engine& engine,
                                                               const HttpOptions& options);

/// Serves one peer on a message channel: stdio, or one end of an in-process pair. When the peer
/// ends its direction, what waits for nothing but its end is answered as by `stop(false)`, and the
/// rest gets a minute to finish.
class ChannelEndpoint {
 public:
  virtual ~ChannelEndpoint() = default;
  /// Takes no more requests, and answers those under way with an error that says that the server
  /// stops: those that wait for nothing but their end, or all of them.
  virtual void stop(bool all) = 0;
  /// Cancels what is under way and finishes the channel.
  virtual void end() = 0;
  /// Called once when the peer has gone or the endpoint was stopped, nothing is under way any more,
  /// and all that was answered has left.
  virtual void on_done(std::move_only_function<void()> handler) = 0;
};
[[nodiscard]] std::unique_ptr<ChannelEndpoint> make_channel_endpoint(
    runtime::Loop& loop, Engine& engine, std::unique_ptr<transport::MessageChannel> channel);

/// Serves over stdin and stdout until stdin ends or a SIGTERM or SIGINT arrives. `on_ready` is told
/// once these would be answered. That stdin or stdout broke is an error; that the reader of stdout
/// went away isn't, but the end.
///
/// The first signal ends what waits for nothing but its end, lets the rest finish within
/// `stop_within` and returns; the second ends the process at once.
[[nodiscard]] Result<void> serve_stdio(Engine& engine, const ReadyHandler<>& on_ready = {},
                                       const StdioOptions& options = {});

struct HandleOptions {
  HttpOptions http;  ///< path, hosts and origins
  std::chrono::milliseconds deadline{30'000};
};
/// Answers one HTTP request without a socket, for CGI and serverless adapters: one JSON reply, no
/// session, on a loop of this call's own. What a handler says before its result goes nowhere; what
/// takes longer than the deadline is cancelled and answered with 504. From any thread.
[[nodiscard]] transport::HttpReply handle_http(Engine& engine, transport::HttpRequest request,
                                               const HandleOptions& options = {});

/// Serves over HTTP, on `threads` loops, until a SIGTERM or SIGINT arrives, which do as above.
/// `on_ready` is told the real port once connections are accepted and signals would be answered.
[[nodiscard]] Result<void> serve_http(Engine& engine, const HttpOptions& options,
                                      const ReadyHandler<std::uint16_t>& on_ready);

}  // namespace squall::server
