#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace squall::inject {

/// The pieces that go out instead of `response`, a JSON-RPC response, one message each: more than
/// one for "split" alone. Nothing when the variant is unknown.
[[nodiscard]] std::optional<std::vector<std::string>> malform(std::string_view variant,
                                                              std::string_view response);

}  // namespace squall::inject
