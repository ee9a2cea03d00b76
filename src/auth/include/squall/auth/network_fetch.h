#pragma once

#include <chrono>

#include "squall/auth/fetch.h"
#include "squall/runtime/loop.h"

namespace squall::auth {

/// The network itself: each request on a connection of its own, since most go to another server.
class NetworkFetch final : public Fetch {
 public:
  /// `loop` outlives it. `patience` is for each request as a whole.
  explicit NetworkFetch(runtime::Loop& loop,
                        std::chrono::milliseconds patience = std::chrono::seconds(30))
      : loop_(loop), patience_(patience) {}
  Task<Result<FetchResponse>> fetch(FetchRequest request) override;

 private:
  runtime::Loop& loop_;
  std::chrono::milliseconds patience_;
};

}  // namespace squall::auth
