#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "squall/runtime/loop.h"

namespace squall::server {

/// Tokens that come back evenly, `burst` of them at most; taken without a lock, from any thread.
class TokenBucket {
 public:
  /// `burst` tokens come back in a time of `per`.
  TokenBucket(std::size_t burst, runtime::Duration per);
  /// Takes a token; gives how long until there is one, zero when it was taken.
  [[nodiscard]] runtime::Duration take(runtime::TimePoint now) noexcept;

 private:
  // The bucket as one number: the time at which it will be full again (GCRA).
  std::atomic<std::int64_t> full_at_{std::numeric_limits<std::int64_t>::min()};
  const std::int64_t interval_;  ///< between tokens
  const std::int64_t span_;      ///< of the time that all tokens take
};

}  // namespace squall::server
