#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace squall::base {

/// The offset of the first byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7:
/// no overlong forms, no surrogates, nothing above U+10FFFF), or npos when all of `text` is.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text) noexcept;

/// Appends `code_point` (at most U+10FFFF, not a surrogate) to `out` as UTF-8.
void append_utf8(std::string& out, char32_t code_point);

/// The code point at `offset` of well-formed UTF-8, and moves `offset` behind it.
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& offset) noexcept;

/// The number of code points of well-formed UTF-8.
[[nodiscard]] std::size_t count_code_points(std::string_view text) noexcept;

/// Well-formed UTF-8 as printable ASCII, so that names which look alike can be told apart: every
/// other code point as "\u{301}", and "..." behind `bytes_max`.
[[nodiscard]] std::string show_name(std::string_view name, std::size_t bytes_max = 200);

[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;  // ASCII
[[nodiscard]] std::string to_lower(std::string_view text);                                 // ASCII
[[nodiscard]] std::string_view trim(std::string_view text) noexcept;  // spaces and tabs

/// Standard base64 with padding (RFC 4648 section 4).
[[nodiscard]] std::string base64_encode(std::string_view bytes);
/// Strict: correct padding, no other characters, zero trailing bits; else nothing.
[[nodiscard]] std::optional<std::string> base64_decode(std::string_view text);
/// URL-safe alphabet without padding (RFC 4648 section 5).
[[nodiscard]] std::string base64url_encode(std::string_view bytes);
[[nodiscard]] std::optional<std::string> base64url_decode(std::string_view text);
[[nodiscard]] std::string hex_encode(std::string_view bytes);  // lower case

/// Of `candidates`, the one nearest to `word` by edit distance, if near enough to be a typo
/// (distance at most 2, and less than half the word). For "did you mean".
template <typename Range>
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      const Range& candidates);
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

template <typename Range>
std::optional<std::string_view> nearest(std::string_view word, const Range& candidates) {
  std::optional<std::string_view> best;
  std::size_t best_distance = word.size() < 4 ? 2 : 3;  // the first distance that is too far
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance * 2 < word.size() + 1) {
      best = std::string_view(candidate);
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace squall::base
