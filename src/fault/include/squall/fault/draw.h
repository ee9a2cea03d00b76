#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/fault/distribution.h"

/// @file The decision scheme squall-draw-1: from a seed to a value, in one header.
///
/// Everything that chance decides is a draw: 64 bits that depend on a seed, a rule, a site and a
/// purpose, and on nothing else. There is no generator that advances, so no draw can disturb
/// another: a rule added to a profile, a call made before, another order of calls change only what
/// they are about. No floating point takes part, so every machine computes the same.
///
///     const Draws draws{.seed = {1337}, .rule = "slow", .site = R"(["call","search",3])"};
///     if (draws.coin(*Probability::parse("15%"))) delay = draws.integer("delay", 1500, 6000);
///
/// The scheme never changes; another one would have another tag.

namespace squall::fault {

inline constexpr std::string_view kScheme = "squall-draw-1";

/// What makes one run differ from another.
struct Seed {
  std::uint64_t value = 0;

  /// `[0-9]{1,20}` up to 2^64-1, or `0x` and 1 to 16 hexadecimal digits; nothing else, so that no
  /// part of a text is ever ignored.
  [[nodiscard]] static Result<Seed> parse(std::string_view text);
  [[nodiscard]] std::string decimal() const { return std::to_string(value); }
  [[nodiscard]] std::string hex() const;  ///< "0x539"
  friend auto operator<=>(const Seed&, const Seed&) = default;
};

/// An exact fraction from 0 to 1, in lowest terms.
class Probability {
 public:
  Probability() = default;  ///< 1
  /// "0.1", "12.5%" or "1/8": no sign, no exponent, no leading zeros, 1 to 9 decimals.
  [[nodiscard]] static Result<Probability> parse(std::string_view text);
  [[nodiscard]] std::uint64_t numerator() const noexcept { return numerator_; }
  [[nodiscard]] std::uint64_t denominator() const noexcept { return denominator_; }
  /// Whether chance decides: neither 0 nor 1.
  [[nodiscard]] bool is_chance() const noexcept {
    return numerator_ != 0 && numerator_ != denominator_;
  }
  [[nodiscard]] std::string text() const;  ///< "1/10"
  friend bool operator==(const Probability&, const Probability&) = default;

 private:
  std::uint64_t numerator_ = 1;
  std::uint64_t denominator_ = 1;
};

/// The first 8 bytes, big-endian, of SHA-256 over the scheme's tag and these five as netstrings.
/// Anyone can check one with coreutils; see docs/formats/profile.md.
[[nodiscard]] std::uint64_t draw(Seed seed, std::string_view rule, std::string_view site,
                                 std::string_view purpose, std::uint64_t lane = 0);

/// Whether a coin of that probability falls for `bits`: bits / 2^64 < probability, exactly.
[[nodiscard]] bool strikes(std::uint64_t bits, const Probability& probability) noexcept;

/// `bits` brought into [least, most]; least <= most.
[[nodiscard]] std::int64_t integer_in(std::uint64_t bits, std::int64_t least,
                                      std::int64_t most) noexcept;

/// One of several weighted options.
struct Option {
  std::string name;
  std::uint64_t weight = 1;  ///< at most kWeightMax; 0: never
};
inline constexpr std::uint64_t kWeightMax = 1'000'000'000;

/// The draws of one rule at one site.
struct Draws {
  Seed seed;
  std::string_view rule;  ///< its draw key
  std::string_view site;

  [[nodiscard]] std::uint64_t bits(std::string_view purpose, std::uint64_t lane = 0) const {
    return draw(seed, rule, site, purpose, lane);
  }
  /// Purpose "fire".
  [[nodiscard]] bool coin(const Probability& probability) const;
  [[nodiscard]] std::int64_t integer(std::string_view purpose, std::int64_t least,
                                     std::int64_t most, std::uint64_t lane = 0) const;
  /// The index of the option picked, by weighted rendezvous: adding an option moves nothing but
  /// what goes to it. At least one weight is above 0.
  [[nodiscard]] std::size_t pick(std::string_view purpose, std::span<const Option> options,
                                 std::uint64_t lane = 0) const;
  /// Purpose "delay"; whole milliseconds.
  [[nodiscard]] std::int64_t delay(const Distribution& distribution) const;
  /// The numbers 0 to count-1 in a drawn order, by the draws of lanes 0 to count-1. Unlike the
  /// identity when count > 1: where the draws give that, the first two are exchanged.
  [[nodiscard]] std::vector<std::size_t> order(std::string_view purpose, std::size_t count) const;
};

/// Faults that come in bursts: a coin for the start at every ordinal, a length for each start.
struct Burst {
  Probability start;
  std::uint64_t shortest = 1;
  std::uint64_t longest = 1;  ///< 1 <= shortest <= longest <= kBurstMax
};
inline constexpr std::uint64_t kBurstMax = 1000;

/// Whether a burst is on at the `ordinal`-th call (from 1) of `tool`, or of all tools.
[[nodiscard]] bool burst_is_on(Seed seed, std::string_view rule, const Burst& burst,
                               std::optional<std::string_view> tool, std::uint64_t ordinal);

}  // namespace squall::fault
