#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"
#include "squall/transport/proxy.h"
#include "squall/transport/tls.h"
#include "squall/transport/url.h"

/// @file HTTP/1.1 as a client: one request at a time on one kept-alive connection.

namespace squall::transport {

struct HttpClientRequest {
  std::string method = "POST";
  std::string target = "/";
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
};

struct HttpClientResponse {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  [[nodiscard]] const std::string* header(std::string_view name) const;
};

struct HttpClientLimits {
  std::size_t header_bytes_max = 64 << 10;
  std::size_t body_bytes_max = std::size_t{64} << 20;  ///< but of event streams, which may go on
  std::chrono::milliseconds connect_timeout{10'000};
};

/// How a connection reaches its origin.
struct HttpRoute {
  std::shared_ptr<const TlsContext> tls{};  ///< for whatever is https; null: that fails
  std::optional<Proxy> proxy{};             ///< between us and the origin
};

/// What becomes of one request. The calls come on the loop, in this order, and end with exactly one
/// of `on_done` and `on_failed`.
class HttpClientHandler {
 public:
  virtual void on_response(const HttpClientResponse& response) = 0;
  virtual void on_body(std::string_view bytes) = 0;
  virtual void on_done() = 0;
  /// `sent` tells whether any byte of the request left, so that the caller knows what may have run.
  virtual void on_failed(const Error& error, bool sent) = 0;

 protected:
  ~HttpClientHandler() = default;
};

/// One origin's connection, opened when needed and kept open between requests.
///
/// A kept connection may die just when it is used again. A request that is idempotent, or of which
/// nothing has left, is then sent once more on a new one; any other fails, with `sent` true. Any
/// call to the handler may cancel or destroy the connection; `on_done` and `on_failed` may also
/// start the next request. Headers that frame the message are the connection's own, and Host too
/// unless the request names one. An https origin behind a proxy is reached through a tunnel
/// (CONNECT), any other by asking the proxy for it; `connect_timeout` bounds each step of the way:
/// the connection, the tunnel, TLS.
class HttpClientConnection {
 public:
  HttpClientConnection(runtime::Loop& loop, Url origin, HttpClientLimits limits = {},
                       HttpRoute route = {});
  ~HttpClientConnection();
  HttpClientConnection(const HttpClientConnection&) = delete;
  HttpClientConnection& operator=(const HttpClientConnection&) = delete;
  /// Starts a request; none may be under way. `handler` outlives it or `cancel`.
  void request(const HttpClientRequest& request, HttpClientHandler& handler);
  [[nodiscard]] bool busy() const;
  /// Drops the request under way and the connection; the handler hears nothing more.
  void cancel();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::transport
