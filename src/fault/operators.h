#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"

namespace squall::fault {

/// The ways to make a value wrong, by name, in the order in which they are tried on a value.
inline constexpr std::array<std::string_view, 7> kOperators = {"number", "date", "currency", "unit",
                                                               "sign",   "id",   "text"};

/// Whether `name` can change `value`, which stands under the member name `key`.
[[nodiscard]] bool applies(std::string_view name, const json::Value& value, std::string_view key);

/// The value made wrong by `bits`; may be equal to it, and then another draw is to be tried.
[[nodiscard]] json::Value mutate(std::string_view name, const json::Value& value,
                                 std::uint64_t bits);

}  // namespace squall::fault
