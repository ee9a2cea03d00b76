#include "squall/base/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <vector>

#include "squall/base/assert.h"
#include "squall/base/words.h"

namespace squall::base {

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::array<signed char, 256> reverse(std::string_view alphabet) {
  std::array<signed char, 256> table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
  }
  return table;
}

constexpr auto kReverse = reverse(kBase64);
constexpr auto kReverseUrl = reverse(kBase64Url);

std::string encode(std::string_view bytes, std::string_view alphabet, bool pad) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = (group << 8) | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j <= left; ++j) out += alphabet[(group >> (18 - 6 * j)) & 63U];
    if (pad) out.append(3 - left, '=');
  }
  return out;
}

std::optional<std::string> decode(std::string_view text,
                                  const std::array<signed char, 256>& table) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const signed char value = table[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>((bits >> held) & 0xFFU);
      bits &= (1U << held) - 1U;
    }
  }
  if (held >= 6 || bits != 0) return std::nullopt;
  return out;
}

/// The length of the well-formed sequence at `p`, or 0.
std::size_t sequence_length(const unsigned char* p, std::size_t left) noexcept {
  const unsigned char a = p[0];
  if (a < 0x80) return 1;
  const auto tail = [&](std::size_t i) { return i < left && (p[i] & 0xC0) == 0x80; };
  if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (a == 0xE0 && p[1] < 0xA0) return 0;
    if (a == 0xED && p[1] > 0x9F) return 0;
    return 3;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (a == 0xF0 && p[1] < 0x90) return 0;
    if (a == 0xF4 && p[1] > 0x8F) return 0;
    return 4;
  }
  return 0;
}

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t step = std::min<std::size_t>(8, text.size() - i);
    if ((gather_bytes(text.data() + i, step) & 0x8080808080808080ULL) == 0) {
      i += step;
      continue;
    }
    const std::size_t length = sequence_length(bytes + i, text.size() - i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, char32_t c) {
  SQUALL_ASSERT(c <= 0x10FFFF);
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

char32_t next_code_point(std::string_view text, std::size_t& offset) noexcept {
  const auto* p = reinterpret_cast<const unsigned char*>(text.data()) + offset;
  const std::size_t length = sequence_length(p, text.size() - offset);
  offset += length == 0 ? 1 : length;
  switch (length) {
    case 1:
      return p[0];
    case 2:
      return ((p[0] & 0x1FU) << 6) | (p[1] & 0x3FU);
    case 3:
      return ((p[0] & 0x0FU) << 12) | ((p[1] & 0x3FU) << 6) | (p[2] & 0x3FU);
    case 4:
      return ((p[0] & 0x07U) << 18) | ((p[1] & 0x3FU) << 12) | ((p[2] & 0x3FU) << 6) |
             (p[3] & 0x3FU);
    default:
      return U'\uFFFD';
  }
}

std::size_t count_code_points(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

std::string show_name(std::string_view name, std::size_t bytes_max) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    if (out.size() >= bytes_max) return out + "...";
    const char32_t code_point = next_code_point(name, at);
    if (code_point >= ' ' && code_point <= '~') {
      out += static_cast<char>(code_point);
      continue;
    }
    char digits[8];
    const auto [end, error] =
        std::to_chars(digits, digits + sizeof digits, static_cast<std::uint32_t>(code_point), 16);
    out.append("\\u{").append(digits, end).append("}");
  }
  return out;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  if (a == b) return true;  // most are spelled the usual way, and this is quick to see
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string base64_encode(std::string_view bytes) { return encode(bytes, kBase64, true); }
std::string base64url_encode(std::string_view bytes) { return encode(bytes, kBase64Url, false); }

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  if (padding != (4 - text.size() % 4) % 4) return std::nullopt;
  return decode(text, kReverse);
}

std::optional<std::string> base64url_decode(std::string_view text) {
  return decode(text, kReverseUrl);
}

std::string hex_encode(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kWordMax = 64;  // longer words are nobody's typo
  if (a.size() > kWordMax || b.size() > kWordMax) return std::max(a.size(), b.size());
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace squall::base
