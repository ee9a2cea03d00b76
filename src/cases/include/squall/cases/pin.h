#pragma once

#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/recording/case_reader.h"

namespace squall::cases {

/// The strikes of a case as a schedule: plain data with nothing left to chance, that strikes alike
/// at the same arrivals. Strikes that had nothing to change are left out.
///
/// Fails when the decisions of the case aren't those of its profile, or when a schedule can't
/// repeat them (a rule for some sessions alone, say): what is given was decided again and compared.
[[nodiscard]] Result<json::Value> pin(const recording::Case& from);

/// The same as text, with a comment at its head: YAML that a person edits.
[[nodiscard]] std::string to_yaml(const json::Value& schedule, std::string_view about);

}  // namespace squall::cases
