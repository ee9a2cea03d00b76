#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/recording/case_reader.h"

/// @file Why an arrival got its faults: every rule, what ran, clean against delivered.

namespace squall::cases {

/// One rule at one decision.
struct ToldRule {
  recording::Considered rule;
  std::string why;  ///< for people; never empty
};

/// Bytes that left in place of an arrival.
struct Handed {
  recording::Delivered delivered;
  std::chrono::nanoseconds at{};     ///< since the run began
  std::optional<std::string> bytes;  ///< as delivered; nothing when unchanged, lost or gone
};

struct Explanation {
  std::uint64_t in = 0;   ///< of the arrival; 0: a connection, a process or the like
  std::uint64_t seq = 0;  ///< of the event that it begins with
  std::string what;       ///< "tools/call search", "connection 1"
  std::string site;       ///< in the form of the default key: found again in other runs
  std::string message;    ///< the arrival's bytes; "" when there are none or they are gone
  std::vector<ToldRule> rules;
  bool struck = false;
  bool order_sensitive = false;
  std::vector<std::uint64_t> in_flight;
  recording::Executed executed = recording::Executed::unknown;
  std::optional<std::string> clean;  ///< the server's answer, before any fault
  std::vector<Handed> handed;        ///< nothing: whatever came went on as it came
};

/// The arrivals of a case that something struck, in order; at most kExplainedMax.
inline constexpr std::size_t kExplainedMax = 10'000;
[[nodiscard]] std::vector<Explanation> explain_struck(const recording::Case& from);

/// Every arrival of the case, however many, one at a time and in no promised order.
void explain_each(const recording::Case& from, const std::function<void(const Explanation&)>& take);

/// Those that `where` names: the number of an event, or a site as some rule or label has it. Fails
/// when there is none.
[[nodiscard]] Result<std::vector<Explanation>> explain_at(const recording::Case& from,
                                                          std::string_view where);

[[nodiscard]] json::Value to_json(const Explanation& explanation);

/// "draw 8f0d47a458a8e001 = 0.5588, strikes below 1/10": why the standing is what it is.
[[nodiscard]] std::string reason_of(const recording::Considered& rule);
[[nodiscard]] std::string_view name_of(recording::Standing standing) noexcept;
[[nodiscard]] std::string_view name_of(recording::Executed executed) noexcept;
[[nodiscard]] std::string_view name_of(recording::Delivery delivery) noexcept;

}  // namespace squall::cases
