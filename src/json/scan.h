#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "squall/base/words.h"

/// @file The inner loops over text that the parser and the writer share.

namespace squall::json {

[[nodiscard]] inline bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Whether a JSON string cannot hold `c` as it is: a quote, a backslash or a control character.
[[nodiscard]] inline bool is_string_special(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

/// As `find_string_special`, eight bytes at once. A word that may hold a special or a high byte is
/// looked at one by one, so false alarms cost time only, and the order of bytes in a word does not
/// matter.
[[nodiscard, gnu::noinline]] inline const char* find_string_special_by_word(
    const char* p, const char* end, bool& non_ascii) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const auto zero_byte = [](std::uint64_t x) { return (x - kOnes) & ~x; };
  while (p != end) {
    const std::size_t step = end - p >= 8 ? 8 : static_cast<std::size_t>(end - p);
    const std::uint64_t word = base::gather_bytes(p, step);
    const std::uint64_t alarm = zero_byte(word ^ (kOnes * '"')) | zero_byte(word ^ (kOnes * '\\')) |
                                ((word - kOnes * 0x20) & ~word) | word;
    if ((alarm & (kOnes * 0x80)) == 0) {
      p += step;
      continue;
    }
    for (const char* const stop = p + step; p != stop; ++p) {
      if (is_string_special(*p)) return p;
      non_ascii |= static_cast<unsigned char>(*p) >= 0x80;
    }
  }
  return end;
}

/// The first special byte of [p, end), or `end`. Sets `non_ascii` when one stands before it.
[[nodiscard, gnu::always_inline]] inline const char* find_string_special(const char* p,
                                                                         const char* end,
                                                                         bool& non_ascii) noexcept {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control_max = _mm_set1_epi8(0x1F);
  unsigned high = 0;  // not 0: a byte that isn't ASCII was passed
  for (; end - p >= 16; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i special =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(bytes, control_max), bytes));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(special));
    const auto here = static_cast<unsigned>(_mm_movemask_epi8(bytes));
    if (found != 0) {
      high |= here & (found - 1U) & ~found;  // those before the first special byte
      if (high != 0) [[unlikely]]
        non_ascii = true;
      return p + std::countr_zero(found);
    }
    high |= here;
  }
  if (high != 0) non_ascii = true;
#endif
  return find_string_special_by_word(p, end, non_ascii);
}

/// Whether `size` bytes at `a` and at `b` are the same: for names, too short to pay for a call.
[[nodiscard]] inline bool same_bytes(const char* a, const char* b, std::size_t size) noexcept {
  const auto same = [a, b]<typename Word>(std::size_t at, Word in_a) {
    Word in_b = 0;
    std::memcpy(&in_a, a + at, sizeof in_a);
    std::memcpy(&in_b, b + at, sizeof in_b);
    return in_a == in_b;
  };
  if (size >= 8) {
    // Its end first: names of one object often begin alike. What is left may overlap it.
    if (!same(size - 8, std::uint64_t{})) return false;
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      if (!same(at, std::uint64_t{})) return false;
    }
    return true;
  }
  if (size >= 4) return same(0, std::uint32_t{}) && same(size - 4, std::uint32_t{});
  for (std::size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

/// What the grammar of numbers made of a text: the end of the number, or where it broke and what
/// should have stood there.
struct NumberScan {
  const char* end = nullptr;
  const char* expected = nullptr;  ///< null when the number is well formed
};

/// Reads `number` of RFC 8259 section 6 at `p`.
[[nodiscard]] inline NumberScan scan_number(const char* p, const char* end) noexcept {
  if (p != end && *p == '-') ++p;
  if (p == end || !is_digit(*p)) return {p, "a digit"};
  if (*p == '0') {
    ++p;
    if (p != end && is_digit(*p)) return {p, "no digit after a leading zero"};
  } else {
    while (p != end && is_digit(*p)) ++p;
  }
  if (p != end && *p == '.') {
    ++p;
    if (p == end || !is_digit(*p)) return {p, "a digit after the point"};
    while (p != end && is_digit(*p)) ++p;
  }
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p != end && (*p == '+' || *p == '-')) ++p;
    if (p == end || !is_digit(*p)) return {p, "a digit of the exponent"};
    while (p != end && is_digit(*p)) ++p;
  }
  return {p, nullptr};
}

}  // namespace squall::json
