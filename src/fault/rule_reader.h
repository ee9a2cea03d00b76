#pragma once

#include "squall/fault/profile.h"
#include "squall/json/strict.h"

namespace squall::fault {

/// Reads one rule of a profile; what is wrong is noted in the file.
[[nodiscard]] Rule read_rule(const json::StrictNode& node);

/// Reads `only` or `ignore`.
void read_projection(json::StrictObject& members, Rule& rule);

/// Reads the settings of `kind` among `members`: into `settings` in one spelling each, and into
/// `drawn` where they are to be drawn.
void read_settings(json::StrictObject& members, const Kind& kind, json::Value& settings,
                   std::vector<Drawn>& drawn);

/// A text of a file, also where it was written as a number: as it stands there.
[[nodiscard]] std::optional<std::string> scalar_text(const json::StrictNode& node);

[[nodiscard]] std::optional<Probability> read_probability(const json::StrictNode& node);
[[nodiscard]] std::optional<Seed> read_seed(const json::StrictNode& node);
[[nodiscard]] std::optional<Scope> read_scope(const json::StrictNode& node);
[[nodiscard]] std::optional<std::chrono::nanoseconds> read_time(const json::StrictNode& node);

}  // namespace squall::fault
