#include <algorithm>
#include <cstddef>

#include "formats.h"
#include "regex_translate.h"

namespace squall::schema::formats {

bool is_uuid(std::string_view text) noexcept {
  constexpr std::size_t kLength = 36;
  if (text.size() != kLength) return false;
  for (std::size_t i = 0; i < kLength; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex_digit(text[i])) return false;
  }
  return true;
}

bool is_json_pointer(std::string_view text) noexcept {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') continue;
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
  }
  return true;
}

bool is_relative_json_pointer(std::string_view text) noexcept {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const auto digits = static_cast<std::size_t>(end - text.begin());
  if (digits == 0 || (digits > 1 && text.front() == '0')) return false;
  const std::string_view rest = text.substr(digits);
  return rest == "#" || is_json_pointer(rest);
}

bool is_regex(std::string_view text) { return translate_ecma_regex(text).has_value(); }

}  // namespace squall::schema::formats
