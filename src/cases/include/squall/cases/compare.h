#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/cases/arrivals.h"
#include "squall/cases/inputs.h"

/// @file Two runs side by side, site by site: what was decided otherwise, what was only delivered
/// otherwise, and where the server answered otherwise.

namespace squall::cases {

/// What there was at one site. Sites are those of the default key, so that runs meet whatever keys
/// their rules have.
struct AtSite {
  struct Struck {
    std::string rule;  ///< its draw key
    std::string kind;
    json::Value parameters;
    [[nodiscard]] bool same_decision(const Struck& other) const {
      return rule == other.rule && kind == other.kind;
    }
    [[nodiscard]] std::string text() const;  ///< "slow latency {"delay":"5ms"}"
  };
  std::vector<Struck> struck;  ///< by rule
  std::string upstream;        ///< what the server did and answered, as a text; "" not known
  std::string delivered;       ///< what was handed on, as a text; "" not known
};

/// A run, or what a profile would do, by site. One site may be met several times.
using Sites = std::map<std::string, std::vector<AtSite>>;

/// As it was recorded.
[[nodiscard]] Result<Sites> sites_of(const recording::Case& from);
/// As it would be decided at these arrivals.
[[nodiscard]] Result<Sites> sites_of(const Inputs& inputs, const std::vector<Arrived>& arrivals);
/// A schedule's strikes, at the sites that they name.
[[nodiscard]] Sites sites_of(const fault::Profile& schedule);

enum class Change : std::uint8_t {
  only_left,
  only_right,
  decision,  ///< another rule strikes, or none
  payload,   ///< the same rules strike, but hand on something else
  upstream,  ///< the server did or answered something else
};
[[nodiscard]] std::string_view name_of(Change change) noexcept;

struct Changed {
  std::string site;
  Change change = Change::decision;
  std::string left;  ///< for people
  std::string right;
};

inline constexpr std::size_t kChangesMax = 1000;  ///< that are listed; all are counted

struct Comparison {
  std::uint64_t same = 0;  ///< arrivals, not sites
  std::map<Change, std::uint64_t> counts;
  std::vector<Changed> changes;  ///< by site
  [[nodiscard]] bool equal() const noexcept { return counts.empty(); }
};

[[nodiscard]] Comparison compare(const Sites& left, const Sites& right);
[[nodiscard]] json::Value to_json(const Comparison& comparison);

/// The messages of a case that faults may concern.
[[nodiscard]] std::vector<Arrived> arrivals_of(const recording::Case& from);

}  // namespace squall::cases
