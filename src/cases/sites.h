#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"
#include "squall/recording/event.h"

namespace squall::cases {

/// The parts of a site; nothing when the text is none.
[[nodiscard]] std::optional<json::Value> read_site(std::string_view text);
/// Its first word, "args", or "".
[[nodiscard]] std::string word_of(const json::Value& site);
/// The first site that a rule of the decision was asked at, or null.
[[nodiscard]] json::Value site_of(const recording::Decision& decision);

/// Whether this decision tells of a strike, decided before, that had nothing to change.
[[nodiscard]] bool is_noop(const recording::Decision& decision);

}  // namespace squall::cases
