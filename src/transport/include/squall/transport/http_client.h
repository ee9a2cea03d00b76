#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"

/// @file HTTP/1.1 as a client: one request at a time on one kept-alive connection.

namespace squall::transport {

/// "http://host:port/path?query" taken apart; scheme and host in lower case, IPv6 hosts without
/// brackets. Refuses user names, fragments, and whatever isn't visible ASCII.
struct Url {
  std::string scheme;
  std::string host;
  std::uint16_t port = 0;
  std::string target;  ///< path and query, at least "/"
  [[nodiscard]] static Result<Url> parse(std::string_view text);
  [[nodiscard]] std::string authority() const;  ///< "host:port", for the Host header
};

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
/// unless the request names one. "https" fails as unavailable: TLS isn't built in yet.
class HttpClientConnection {
 public:
  HttpClientConnection(runtime::Loop& loop, Url origin, HttpClientLimits limits = {});
  ~HttpClientConnection();
  HttpClientConnection(const HttpClientConnection&) = delete;
  HttpClientConnection& operator=(const HttpClientConnection&) = delete;
  /// Starts a request; none may be under way. `handler` outlives it or `cancel`.
  void request(HttpClientRequest request, HttpClientHandler& handler);
  [[nodiscard]] bool busy() const;
  /// Drops the request under way and the connection; the handler hears nothing more.
  void cancel();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::transport
