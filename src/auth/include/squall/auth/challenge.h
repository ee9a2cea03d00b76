#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"

namespace squall::auth {

/// One challenge of a WWW-Authenticate header (RFC 9110 section 11.6.1).
struct Challenge {
  std::string scheme;                                           ///< in lower case
  std::string token68;                                          ///< instead of parameters
  std::vector<std::pair<std::string, std::string>> parameters;  ///< names in lower case
  [[nodiscard]] const std::string* find(std::string_view name) const;
};

inline constexpr std::size_t kChallengeBytesMax = 16 << 10;
inline constexpr std::size_t kChallengesMax = 16;
inline constexpr std::size_t kChallengeParametersMax = 32;

/// All challenges of one header value, in order. Values may be quoted or not, and those that are
/// not may be whatever has no blank, comma or quote, since servers leave URLs unquoted. A parameter
/// that stands twice in one challenge is refused.
[[nodiscard]] Result<std::vector<Challenge>> parse_challenges(std::string_view header);

}  // namespace squall::auth
