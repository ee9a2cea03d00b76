#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "squall/runtime/loop.h"
#include "squall/transport/http_client.h"

namespace squall::client {

/// One HTTP request under way; destroying it drops the request.
class HttpFlight {
 public:
  virtual ~HttpFlight() = default;
};

/// Sends HTTP requests to one origin, any number at once.
class HttpDoor {
 public:
  virtual ~HttpDoor() = default;
  /// `handler` outlives the flight, which may be destroyed inside any call to it.
  [[nodiscard]] virtual std::unique_ptr<HttpFlight> send(transport::HttpClientRequest request,
                                                         transport::HttpClientHandler& handler) = 0;
};

/// A pool of connections, the last one used first. Requests beyond `connections_max` wait.
[[nodiscard]] std::unique_ptr<HttpDoor> make_http_door(runtime::Loop& loop, transport::Url origin,
                                                       transport::HttpClientLimits limits,
                                                       std::size_t connections_max);

}  // namespace squall::client
