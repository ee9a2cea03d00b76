#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

/// @file When to try again.

namespace squall::transport {

/// "Sun, 06 Nov 1994 08:49:37 GMT", and the two older forms that RFC 9110 section 5.6.7 wants read.
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_http_date(
    std::string_view text, std::chrono::system_clock::time_point now);

/// The value of Retry-After, seconds or a date: how long to wait from `now` on, never negative, a
/// day at most. Nothing when it can't be read.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view value, std::chrono::system_clock::time_point now);

/// A number from [0, 1), evenly; from the operating system's randomness.
[[nodiscard]] double random_fraction();

/// Pauses that double from `first` up to `longest`, each of them shortened by up to half at random,
/// so that many clients don't come back at one time.
class Backoff {
 public:
  /// `fraction` gives numbers from [0, 1); null: `random_fraction`.
  Backoff(std::chrono::milliseconds first, std::chrono::milliseconds longest,
          std::function<double()> fraction = nullptr);
  /// The next pause, and at least what the server asked for.
  [[nodiscard]] std::chrono::milliseconds next(
      std::optional<std::chrono::milliseconds> retry_after = std::nullopt);
  /// It worked: begins at `first` again.
  void reset() { pause_ = first_; }

 private:
  std::chrono::milliseconds first_;
  std::chrono::milliseconds longest_;
  std::chrono::milliseconds pause_;
  std::function<double()> fraction_;
};

}  // namespace squall::transport
