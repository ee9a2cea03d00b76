#include <algorithm>
#include <cstddef>

#include "formats.h"

namespace squall::schema::formats {
namespace {

constexpr std::size_t kHostnameMax = 253;
constexpr std::size_t kLabelMax = 63;
constexpr std::size_t kLocalPartMax = 64;

bool is_label(std::string_view label) noexcept {
  if (label.empty() || label.size() > kLabelMax) return false;
  if (label.front() == '-' || label.back() == '-') return false;
  return std::ranges::all_of(label, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

// Whether every part between the separators satisfies `accepts`.
template <typename Predicate>
bool all_parts(std::string_view text, char separator, Predicate accepts) {
  while (true) {
    const std::size_t end = text.find(separator);
    if (!accepts(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool is_octet(std::string_view text) noexcept {
  if (text.empty() || text.size() > 3 || !std::ranges::all_of(text, is_digit)) return false;
  if (text.size() > 1 && text.front() == '0') return false;
  return text.size() < 3 || text <= "255";
}

// RFC 5321: atext.
bool is_atom_character(char c) noexcept {
  return is_letter(c) || is_digit(c) ||
         std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

bool is_quoted_local_part(std::string_view text) noexcept {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return false;
    if (text[i] == '\\' && ++i == text.size()) return false;
    if (text[i] < ' ' || text[i] > '~') return false;
  }
  return true;
}

bool is_local_part(std::string_view text) noexcept {
  if (text.size() > kLocalPartMax) return false;
  if (text.starts_with('"')) return is_quoted_local_part(text);
  return all_parts(text, '.', [](std::string_view atom) {
    return !atom.empty() && std::ranges::all_of(atom, is_atom_character);
  });
}

bool is_mail_domain(std::string_view text) noexcept {
  if (!text.starts_with('[')) return is_hostname(text);
  if (!text.ends_with(']')) return false;
  text = text.substr(1, text.size() - 2);
  constexpr std::string_view kTag = "IPv6:";
  return text.starts_with(kTag) ? is_ipv6(text.substr(kTag.size())) : is_ipv4(text);
}

}  // namespace

bool is_hostname(std::string_view text) noexcept {
  return text.size() <= kHostnameMax && all_parts(text, '.', is_label);
}

bool is_ipv4(std::string_view text) noexcept {
  return std::ranges::count(text, '.') == 3 && all_parts(text, '.', is_octet);
}

bool is_ipv6(std::string_view text) noexcept {
  constexpr int kGroups = 8;
  int groups = 0;
  bool compressed = false;
  if (text.starts_with("::")) {
    compressed = true;
    text.remove_prefix(2);
    if (text.empty()) return true;
  }
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view group = text.substr(0, end);
    if (end == text.size() && group.find('.') != std::string_view::npos) {
      groups += 2;
      if (!is_ipv4(group)) return false;
      break;
    }
    if (group.empty() || group.size() > 4 || !std::ranges::all_of(group, is_hex_digit)) {
      return false;
    }
    if (++groups > kGroups) return false;
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
    if (!text.starts_with(':')) continue;
    if (compressed) return false;
    compressed = true;
    text.remove_prefix(1);
    if (text.empty()) break;
  }
  return compressed ? groups < kGroups : groups == kGroups;
}

bool is_email(std::string_view text) noexcept {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  return is_local_part(text.substr(0, at)) && is_mail_domain(text.substr(at + 1));
}

}  // namespace squall::schema::formats
