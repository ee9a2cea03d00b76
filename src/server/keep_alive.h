#pragma once

#include <chrono>
#include <memory>

#include "squall/runtime/loop.h"
#include "squall/transport/http.h"

#include "weak_set.h"

namespace squall::server {

/// Sends a comment on each of a loop's event streams now and then, so that proxies keep silent ones
/// and we notice peers that have vanished. One timer for all; streams leave by being closed.
class KeepAlive : public std::enable_shared_from_this<KeepAlive> {
 public:
  KeepAlive(runtime::Loop& loop, std::chrono::milliseconds interval)
      : loop_(loop), interval_(interval) {}
  void add(const std::shared_ptr<transport::HttpExchange>& exchange);

 private:
  void arm();
  void sweep();
  runtime::Loop& loop_;
  std::chrono::milliseconds interval_;
  WeakSet<transport::HttpExchange> streams_;
  bool armed_ = false;
};

}  // namespace squall::server
