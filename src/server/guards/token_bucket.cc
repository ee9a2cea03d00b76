#include "token_bucket.h"

#include <algorithm>

namespace squall::server {

TokenBucket::TokenBucket(std::size_t burst, runtime::Duration per)
    : interval_(std::max<std::int64_t>(
          1, per.count() / static_cast<std::int64_t>(std::max<std::size_t>(1, burst)))),
      span_(interval_ * static_cast<std::int64_t>(std::max<std::size_t>(1, burst))) {}

runtime::Duration TokenBucket::take(runtime::TimePoint now) noexcept {
  const std::int64_t at = now.time_since_epoch().count();
  std::int64_t full_at = full_at_.load(std::memory_order_relaxed);
  while (true) {
    const std::int64_t next = std::max(full_at, at) + interval_;
    if (next - at > span_) return runtime::Duration(next - at - span_);
    if (full_at_.compare_exchange_weak(full_at, next, std::memory_order_relaxed)) return {};
  }
}

}  // namespace squall::server
