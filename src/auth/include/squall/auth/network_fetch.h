#pragma once

#include <chrono>

#include "squall/auth/fetch.h"
#include "squall/transport/http_pool.h"

namespace squall::auth {

/// The network itself, by an HTTP client with its TLS, proxies and connections.
class NetworkFetch final : public Fetch {
 public:
  /// `client` outlives it. `patience` is for each request as a whole.
  explicit NetworkFetch(transport::HttpClient& client,
                        std::chrono::milliseconds patience = std::chrono::seconds(30))
      : client_(client), patience_(patience) {}
  Task<Result<FetchResponse>> fetch(FetchRequest request) override;

 private:
  transport::HttpClient& client_;
  std::chrono::milliseconds patience_;
};

}  // namespace squall::auth
