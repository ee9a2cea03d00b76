#pragma once

#include <string>
#include <string_view>

namespace squall::schema {

/// `text` in quotes for a message, cut after 50 characters.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace squall::schema
