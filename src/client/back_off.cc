#include "back_off.h"

#include <algorithm>

#include "squall/transport/retry.h"

namespace squall::client {

namespace {

constexpr std::chrono::minutes kAskedMax{5};

}  // namespace

runtime::Duration back_off(const Options& options, unsigned attempt,
                           std::optional<std::int64_t> asked_ms) {
  const Retry& retry = options.retry;
  const unsigned doublings = std::min(attempt > 0 ? attempt - 1 : 0, 16U);
  const std::chrono::milliseconds doubled = retry.first_delay * (1LL << doublings);
  const auto grown = std::min(doubled, retry.longest_delay);
  const double fraction = options.jitter ? options.jitter() : transport::random_fraction();
  const double share = 0.5 + std::clamp(fraction, 0.0, 1.0) / 2;
  const auto own = std::chrono::duration_cast<runtime::Duration>(grown * share);
  if (!asked_ms) return own;
  const std::chrono::milliseconds most = kAskedMax;
  const std::chrono::milliseconds asked(std::clamp<std::int64_t>(*asked_ms, 0, most.count()));
  return std::max<runtime::Duration>(own, asked);
}

}  // namespace squall::client
