#pragma once

#include <cstddef>
#include <string_view>

/// @file One predicate a format; format_*.cc hold related ones.

namespace squall::schema::formats {

// RFC 3339: section 5.6 and appendix A.
[[nodiscard]] bool is_date(std::string_view text) noexcept;
[[nodiscard]] bool is_time(std::string_view text) noexcept;
[[nodiscard]] bool is_date_time(std::string_view text) noexcept;
[[nodiscard]] bool is_duration(std::string_view text) noexcept;

/// RFC 1123: labels of letters, digits and inner hyphens. What an A-label (`xn--`) decodes to is
/// not looked at.
[[nodiscard]] bool is_hostname(std::string_view text) noexcept;
[[nodiscard]] bool is_ipv4(std::string_view text) noexcept;
[[nodiscard]] bool is_ipv6(std::string_view text) noexcept;
/// RFC 5321 Mailbox.
[[nodiscard]] bool is_email(std::string_view text) noexcept;

// RFC 3986 and 3987.
[[nodiscard]] bool is_uri(std::string_view text) noexcept;
[[nodiscard]] bool is_uri_reference(std::string_view text) noexcept;
[[nodiscard]] bool is_iri(std::string_view text) noexcept;
[[nodiscard]] bool is_iri_reference(std::string_view text) noexcept;
/// RFC 6570.
[[nodiscard]] bool is_uri_template(std::string_view text) noexcept;

[[nodiscard]] bool is_uuid(std::string_view text) noexcept;
[[nodiscard]] bool is_json_pointer(std::string_view text) noexcept;
[[nodiscard]] bool is_relative_json_pointer(std::string_view text) noexcept;
[[nodiscard]] bool is_regex(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_hex_digit(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// Whether a %XX stands at `at`.
[[nodiscard]] constexpr bool is_percent_escape(std::string_view text, std::size_t at) noexcept {
  return at + 2 < text.size() && text[at] == '%' && is_hex_digit(text[at + 1]) &&
         is_hex_digit(text[at + 2]);
}
/// RFC 3987 ucschar, and iprivate where that is allowed.
[[nodiscard]] bool is_iri_character(char32_t c, bool with_private) noexcept;

}  // namespace squall::schema::formats
