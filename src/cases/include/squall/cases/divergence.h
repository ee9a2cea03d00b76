#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/recording/case_reader.h"

/// @file Where a run that was played again first differs from its case, and whose doing that is.

namespace squall::cases {

struct Divergence {
  enum class Cause : std::uint8_t {
    client,    ///< it sent something else, or came to another verdict
    upstream,  ///< the server answered or did something else
    decision,  ///< other faults struck, or delivered something else
    timing,    ///< the same, at other times
  };
  Cause cause = Cause::client;
  std::uint64_t seq = 0;  ///< of the case's event; its last one's where the case has no counterpart
  std::string what;       ///< "the answer to tools/call search"
  std::string recorded;   ///< as a person reads it; "" when there was nothing
  std::string replayed;
};
[[nodiscard]] std::string_view name_of(Divergence::Cause cause) noexcept;
[[nodiscard]] json::Value to_json(const Divergence& divergence);

struct CompareOptions {
  bool pinned = false;  ///< a schedule stood in for the profile: rules have other names
  /// How far times may be apart; nothing: they don't matter.
  std::optional<std::chrono::nanoseconds> tolerance{};
};

/// The first difference in the order of the case; nothing when there is none. What secrets were
/// replaced in is held against nothing. Of a case that ended early, only what it has is compared.
[[nodiscard]] std::optional<Divergence> first_divergence(
    const recording::Case& recorded, const std::vector<recording::Event>& replayed,
    const CompareOptions& options = {});

}  // namespace squall::cases
