#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "squall/cases/arrivals.h"
#include "squall/cases/inputs.h"
#include "squall/json/value.h"

/// @file Whether the decisions of a case are those of its profile and seed.

namespace squall::cases {

/// One decision of a case, and what its inputs come to here.
struct Redecided {
  const recording::Event* event = nullptr;
  const recording::Decision* recorded = nullptr;
  Arrived arrived;
  fault::Decision computed;  ///< empty when `unknown` says why it can't be computed
  std::string unknown;
};

/// Decides about everything that the case decided about, in its order, by `inputs`. Strikes that
/// had nothing to change aren't told again. Both outlive the call alone.
void redecide(const recording::Case& from, const Inputs& inputs,
              const std::function<void(const Redecided&)>& take);

struct Difference {
  std::uint64_t seq = 0;
  std::uint64_t in = 0;
  std::string rule;
  std::string site;
  std::string why;
};

/// A decision that couldn't be recomputed whole. What its record says about itself was looked at.
struct Gap {
  std::uint64_t seq = 0;
  std::string why;
};

/// How many of each are listed; all are counted.
inline constexpr std::size_t kListedMax = 1000;

struct Verification {
  enum class Outcome : std::uint8_t { same, different, could_not };
  std::uint64_t decisions = 0;
  std::uint64_t strikes = 0;  ///< recorded
  std::uint64_t differing = 0;
  std::uint64_t unknown = 0;
  std::vector<Difference> differences;
  std::vector<Gap> gaps;
  std::string run_hash;
  std::string ended_early;  ///< why the case isn't complete, or ""
  [[nodiscard]] Outcome outcome() const noexcept {
    if (differing != 0) return Outcome::different;
    return unknown != 0 ? Outcome::could_not : Outcome::same;
  }
};

/// Recomputes every decision: sites, draws, thresholds, who won and with which parameters. Fails
/// when the inputs don't read.
[[nodiscard]] Result<Verification> verify(const recording::Case& from);
[[nodiscard]] json::Value to_json(const Verification& verification);

}  // namespace squall::cases
