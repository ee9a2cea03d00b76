#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "squall/base/result.h"

/// @file How long a drawn delay is: distributions computed with integers and tables only.

namespace squall::fault {

/// A positive exact decimal, such as a shape parameter: at most 4 decimals, below 10^9.
struct Decimals {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;

  /// "0.6", "2"; a zero only where `zero_allowed`.
  [[nodiscard]] static Result<Decimals> parse(std::string_view text, bool zero_allowed = false);
  friend bool operator==(const Decimals&, const Decimals&) = default;
};

/// All in whole milliseconds, below 2^31.
inline constexpr std::int64_t kDrawnMax = (std::int64_t{1} << 31) - 1;

struct Uniform {
  std::int64_t least = 0;
  std::int64_t most = 0;
  friend bool operator==(const Uniform&, const Uniform&) = default;
};
struct Exponential {
  std::int64_t mean = 0;
  std::int64_t max = 0;
  friend bool operator==(const Exponential&, const Exponential&) = default;
};
struct Pareto {
  std::int64_t scale = 0;
  Decimals alpha;
  std::int64_t max = 0;
  friend bool operator==(const Pareto&, const Pareto&) = default;
};
struct Lognormal {
  std::int64_t median = 0;
  Decimals sigma;
  std::int64_t max = 0;
  friend bool operator==(const Lognormal&, const Lognormal&) = default;
};

using Distribution = std::variant<Uniform, Exponential, Pareto, Lognormal>;

/// The value that `bits` come to, in milliseconds.
[[nodiscard]] std::int64_t sample(const Distribution& distribution, std::uint64_t bits);

}  // namespace squall::fault
