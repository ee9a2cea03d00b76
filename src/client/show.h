#pragma once

#include <string>
#include <string_view>

namespace squall::client {

/// Foreign bytes for a person: printable ASCII as it is, others as \x1b, "..." behind `max`.
[[nodiscard]] std::string show(std::string_view bytes, std::size_t max = 480);

}  // namespace squall::client
