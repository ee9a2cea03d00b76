#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/task.h"
#include "squall/transport/http_client.h"
#include "squall/transport/proxy.h"
#include "squall/transport/tls.h"
#include "squall/transport/url.h"

/// @file HTTP/1.1 as a client of any number of origins, with a bounded number of connections.

namespace squall::transport {

struct HttpClientOptions {
  HttpClientLimits limits{};
  TlsTrust trust{};
  ProxySettings proxies{};
  std::size_t connections_max = 256;             ///< in all; beyond it requests wait
  std::size_t connections_per_origin_max = 256;  ///< under way at once
  std::size_t waiting_max = 10'000;              ///< requests; beyond it they fail
  /// How long an unused connection is kept, and less where the server says so (Keep-Alive). Short,
  /// because a request on a connection that the server just gave up can be lost.
  std::chrono::milliseconds idle_timeout{4'000};
  unsigned redirects_max = 5;
};

/// A whole response.
struct HttpResponse {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  Url url{};  ///< that answered, behind redirects
  /// The first of that name, any case; null when absent.
  [[nodiscard]] const std::string* header(std::string_view name) const;
};

/// A request whose response is wanted whole.
struct HttpFetch {
  HttpFetch(std::string its_method, Url its_url)
      : method(std::move(its_method)), url(std::move(its_url)) {}
  std::string method;
  Url url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::size_t body_bytes_max = std::size_t{1} << 20;  ///< of the response
  std::chrono::milliseconds timeout{30'000};          ///< for everything
  bool follow_redirects = false;                      ///< else 3xx is a response like any other
};

/// Sends requests over kept connections, as many at once as there are connections; the others wait
/// in order. Reads the trust's files when the first https URL comes, and no sooner.
///
/// A request is sent a second time only when it is idempotent, nothing of it has left, or the
/// server redirects it: to the same origin, GET and HEAD by any redirect, the others by 307 and 308
/// alone. A redirect to another origin fails as `invalid`, naming that origin (and nothing else of
/// the address); too many fail as `limit`. Bodies are not asked for in compressed form, and fail as
/// `invalid` if they come so.
///
/// On its loop's thread only. No text that comes from here has a header's value or a URL's query.
class HttpClient {
 public:
  using Id = std::uint64_t;

  explicit HttpClient(runtime::Loop& loop, HttpClientOptions options = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Starts `request` to `url`, whose target counts and not the request's. `handler` outlives it or
  /// `cancel`, and is never called from inside. It may start and cancel requests, and destroy the
  /// client.
  Id request(const Url& url, HttpClientRequest request, HttpClientHandler& handler,
             bool follow_redirects = true);
  /// Drops a request with its connection; the handler hears nothing more. Whether there was one.
  bool cancel(Id id);
  /// Sends a request and gathers its response. Destroying the Task cancels it.
  Task<Result<HttpResponse>> fetch(HttpFetch request);

  /// Requests that have a connection, and those that wait for one.
  [[nodiscard]] std::size_t under_way() const;
  [[nodiscard]] std::size_t waiting() const;
  /// Connections, unused ones included.
  [[nodiscard]] std::size_t connections() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::transport
