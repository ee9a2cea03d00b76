#pragma once

#include <span>
#include <string>

#include "squall/fault/decide.h"

/// @file Strikes as plain data: what a run did, without chance, to be repeated and cut down.

namespace squall::fault {

inline constexpr std::size_t kStrikesMax = 10'000;

/// Reads a schedule, JSON or YAML, as a profile whose rules strike at one site each, always. Fails
/// with every mistake in it. The seed is that of the run it comes from: values that a fault makes
/// up are drawn with it, and so come out the same.
[[nodiscard]] Result<Profile> read_schedule(std::string file_name, std::string text);

/// The schedule of these strikes; reading it back gives the same strikes at the same events, where
/// attempts and ordinals count in `scope`.
[[nodiscard]] json::Value to_schedule(std::string_view name, Seed seed,
                                      std::span<const Strike> strikes, Scope scope = Scope::run);

}  // namespace squall::fault
