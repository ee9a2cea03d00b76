#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace squall::schema {

/// The number of a known format, to look it up once and test often.
[[nodiscard]] std::optional<std::uint32_t> find_format(std::string_view name) noexcept;
[[nodiscard]] std::string_view format_name(std::uint32_t format) noexcept;
[[nodiscard]] bool has_format(std::uint32_t format, std::string_view text);

}  // namespace squall::schema
