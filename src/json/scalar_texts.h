#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace squall::json {

/// The scalars of a well-formed YAML text, keys aside, in its order: what stands in it, before a
/// plain `.5` or `0x10` becomes a number.
[[nodiscard]] std::vector<std::string> scalar_texts(std::string_view text);

}  // namespace squall::json
