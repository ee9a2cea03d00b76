#include "squall/fault/distribution.h"

#include <algorithm>
#include <bit>
#include <string>

#include "tables.h"
#include "wide.h"

namespace squall::fault {

namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 32;  // 1.0 in units of 2^-32
constexpr std::uint64_t kFraction32 = kOne - 1;
constexpr std::uint64_t kLn2 = 2'977'044'472;  // round(2^32 ln 2)
constexpr std::size_t kDecimalsMax = 4;
constexpr std::size_t kWholeDigitsMax = 9;

std::uint64_t clamp_to(Wide value, std::int64_t max) {
  const auto limit = static_cast<std::uint64_t>(max);
  return value > limit ? limit : static_cast<std::uint64_t>(value);
}

/// -log2 of (2^64-1-bits)|1 over 2^64, in units of 2^-32.
std::uint64_t negative_log2(std::uint64_t bits) {
  const std::uint64_t s = ~bits | 1U;
  const auto k = static_cast<std::uint64_t>(std::countl_zero(s));
  const std::uint64_t y = s << k;
  const std::size_t i = y >> 56U & 127U;
  const std::uint64_t f = y >> 24U & kFraction32;
  const std::uint64_t step = kLog2[i + 1] - kLog2[i];
  return ((k + 1) << 32U) - (kLog2[i] + (step * f >> 32U));
}

/// 2^(fraction / 2^32), for a fraction below 1, in units of 2^-32.
std::uint64_t exp2_of(std::uint64_t fraction) {
  const std::size_t i = fraction >> 24U;
  const std::uint64_t f = fraction & 0xFFFFFFU;
  return kExp2[i] + ((kExp2[i + 1] - kExp2[i]) * f >> 24U);
}

/// value * 2^t, t in units of 2^-32, rounded down, at most `max`.
std::uint64_t scale_up(std::uint64_t value, Wide t, std::int64_t max) {
  const Wide n = t >> 32U;
  if (n >= 31) return static_cast<std::uint64_t>(max);
  const Wide scaled =
      static_cast<Wide>(value) * exp2_of(static_cast<std::uint64_t>(t) & kFraction32);
  return clamp_to((scaled << static_cast<unsigned>(n)) >> 32U, max);
}

/// value * 2^-t, rounded down.
std::uint64_t scale_down(std::uint64_t value, Wide t, std::int64_t max) {
  const Wide n = (t + kFraction32) >> 32U;
  if (n >= 63) return 0;
  const auto rest = static_cast<std::uint64_t>((n << 32U) - t);
  const Wide scaled = static_cast<Wide>(value) * exp2_of(rest);
  return clamp_to(scaled >> (32U + static_cast<unsigned>(n)), max);
}

/// |z| of a standard normal, in units of 2^-32 / log2(e), from an odd number that is uniform below
/// 2^63: kNormal[32k-i] belongs to the probability (1+i/32) * 2^-(k+1).
std::uint64_t normal_of(std::uint64_t x) {
  const auto k = static_cast<std::size_t>(std::countl_zero(x));
  const std::uint64_t y = x << k;
  const std::size_t i = y >> 58U & 31U;
  const std::uint64_t f = y >> 26U & kFraction32;
  const std::uint64_t outer = kNormal[32 * k - i];
  const std::uint64_t inner = kNormal[32 * k - i - 1];
  return outer - static_cast<std::uint64_t>(static_cast<Wide>(outer - inner) * f >> 32U);
}

std::int64_t sample_one(const Uniform& uniform, std::uint64_t bits) {
  const auto span = static_cast<std::uint64_t>(uniform.most - uniform.least) + 1;
  return uniform.least + static_cast<std::int64_t>(static_cast<Wide>(bits) * span >> 64U);
}

std::int64_t sample_one(const Exponential& exponential, std::uint64_t bits) {
  const Wide nats =
      static_cast<Wide>(static_cast<std::uint64_t>(exponential.mean)) * negative_log2(bits) * kLn2;
  return static_cast<std::int64_t>(clamp_to(nats >> 64U, exponential.max));
}

std::int64_t sample_one(const Pareto& pareto, std::uint64_t bits) {
  const Wide t =
      static_cast<Wide>(negative_log2(bits)) * pareto.alpha.denominator / pareto.alpha.numerator;
  return static_cast<std::int64_t>(
      scale_up(static_cast<std::uint64_t>(pareto.scale), t, pareto.max));
}

std::int64_t sample_one(const Lognormal& lognormal, std::uint64_t bits) {
  const bool below = bits >> 63U == 0;
  const std::uint64_t z = normal_of((below ? bits : ~bits) | 1U);
  const Wide t = static_cast<Wide>(z) * lognormal.sigma.numerator / lognormal.sigma.denominator;
  const auto median = static_cast<std::uint64_t>(lognormal.median);
  return static_cast<std::int64_t>(below ? scale_down(median, t, lognormal.max)
                                         : scale_up(median, t, lognormal.max));
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::int64_t sample(const Distribution& distribution, std::uint64_t bits) {
  return std::visit([bits](const auto& one) { return sample_one(one, bits); }, distribution);
}

Result<Decimals> Decimals::parse(std::string_view text, bool zero_allowed) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view decimals =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  const bool well_formed = !whole.empty() && whole.size() <= kWholeDigitsMax && all_digits(whole) &&
                           (whole.size() == 1 || whole.front() != '0') && all_digits(decimals) &&
                           decimals.size() <= kDecimalsMax &&
                           (point == std::string_view::npos || !decimals.empty());
  if (!well_formed) {
    return fail(ErrorKind::invalid, "is not a number with at most 4 decimals, as in 0.6 or 2");
  }
  Decimals out{0, 1};
  for (const char digit : whole) {
    out.numerator = out.numerator * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  for (const char digit : decimals) {
    out.numerator = out.numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    out.denominator *= 10;
  }
  if (out.numerator == 0 && !zero_allowed) return fail(ErrorKind::invalid, "must be above 0");
  return out;
}

}  // namespace squall::fault
