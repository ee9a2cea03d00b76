#include <algorithm>
#include <cstddef>
#include <optional>

#include "squall/base/text.h"

#include "formats.h"
#include "uri.h"

namespace squall::schema::formats {
namespace {

enum class Charset { ascii, unicode };

constexpr std::string_view kUnreservedMarks = "-._~";
constexpr std::string_view kSubDelimiters = "!$&'()*+,;=";

bool is_one_of(std::string_view set, char c) noexcept {
  return set.find(c) != std::string_view::npos;
}

// Unreserved characters, sub-delimiters, escapes, and the `extra` ones of the component.
bool is_component(std::string_view text, std::string_view extra, Charset charset,
                  bool with_private = false) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if ((static_cast<unsigned char>(c) & 0x80U) != 0) {
      if (charset == Charset::ascii) return false;
      if (!is_iri_character(base::next_code_point(text, i), with_private)) return false;
    } else if (c == '%') {
      if (!is_percent_escape(text, i)) return false;
      i += 3;
    } else if (is_letter(c) || is_digit(c) || is_one_of(kUnreservedMarks, c) ||
               is_one_of(kSubDelimiters, c) || is_one_of(extra, c)) {
      ++i;
    } else {
      return false;
    }
  }
  return true;
}

bool is_scheme(std::string_view text) noexcept {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || is_one_of("+-.", c);
  });
}

// "v1.x" in brackets
bool is_ip_future(std::string_view text) noexcept {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot < 2 || (text[0] | 0x20) != 'v') return false;
  const std::string_view address = text.substr(dot + 1);
  return std::ranges::all_of(text.substr(1, dot - 1), is_hex_digit) && !address.empty() &&
         !address.contains('%') && is_component(address, ":", Charset::ascii);
}

bool is_authority(std::string_view text, Charset charset) noexcept {
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    if (!is_component(text.substr(0, at), ":", charset)) return false;
    text.remove_prefix(at + 1);
  }
  std::size_t end = text.rfind(':');
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return false;
    const std::string_view address = text.substr(1, bracket - 1);
    if (!is_ipv6(address) && !is_ip_future(address)) return false;
    text.remove_prefix(bracket + 1);
    if (text.empty()) return true;
    end = 0;
    if (text.front() != ':') return false;
  } else if (!is_component(text.substr(0, end), "", charset)) {
    return false;
  }
  return end == std::string_view::npos || std::ranges::all_of(text.substr(end + 1), is_digit);
}

bool is_reference(std::string_view text, Charset charset) noexcept {
  const UriParts parts = split_uri(text);
  if (parts.scheme && !is_scheme(*parts.scheme)) return false;
  if (parts.authority && !is_authority(*parts.authority, charset)) return false;
  if (!is_component(parts.path, "/:@", charset)) return false;
  // "a/b:c" is a path, "a:b" a scheme, and ":b" neither.
  const std::string_view segment = parts.path.substr(0, parts.path.find('/'));
  if (!parts.scheme && !parts.authority && segment.contains(':')) return false;
  if (parts.query && !is_component(*parts.query, "/?:@", charset, true)) return false;
  return !parts.fragment || is_component(*parts.fragment, "/?:@", charset);
}

bool is_absolute(std::string_view text, Charset charset) noexcept {
  return split_uri(text).scheme.has_value() && is_reference(text, charset);
}

// RFC 6570 section 2.1, with the apostrophe of its erratum 6937.
bool is_template_literal(char32_t c) noexcept {
  if (c >= 0x80) return is_iri_character(c, true);
  return c > ' ' && c < 0x7f && !is_one_of("\"%<>\\^`{|}", static_cast<char>(c));
}

bool is_variable_name(std::string_view name) noexcept {
  bool after_dot = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '.') {
      if (after_dot) return false;
      after_dot = true;
      continue;
    }
    if (is_percent_escape(name, i)) {
      i += 2;
    } else if (!is_letter(name[i]) && !is_digit(name[i]) && name[i] != '_') {
      return false;
    }
    after_dot = false;
  }
  return !after_dot;
}

bool is_variable(std::string_view text) noexcept {
  if (text.ends_with('*')) return is_variable_name(text.substr(0, text.size() - 1));
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return is_variable_name(text);
  const std::string_view length = text.substr(colon + 1);
  return is_variable_name(text.substr(0, colon)) && !length.empty() && length.size() <= 4 &&
         length.front() != '0' && std::ranges::all_of(length, is_digit);
}

bool is_expression(std::string_view text) noexcept {
  if (!text.empty() && is_one_of("+#./;?&=,!@|", text.front())) text.remove_prefix(1);
  while (true) {
    const std::size_t comma = text.find(',');
    if (!is_variable(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool is_iri_character(char32_t c, bool with_private) noexcept {
  if (c >= 0xe0000 && c <= 0xe0fff) return false;
  if ((c >= 0xe000 && c <= 0xf8ff) || c >= 0xf0000) return with_private && (c & 0xffff) < 0xfffe;
  if (c < 0xa0 || (c & 0xfffe) == 0xfffe) return false;
  return (c < 0xfdd0 || c > 0xfdef) && (c < 0xfff0 || c > 0xffff);
}

bool is_uri(std::string_view text) noexcept { return is_absolute(text, Charset::ascii); }
bool is_uri_reference(std::string_view text) noexcept { return is_reference(text, Charset::ascii); }
bool is_iri(std::string_view text) noexcept { return is_absolute(text, Charset::unicode); }
bool is_iri_reference(std::string_view text) noexcept {
  return is_reference(text, Charset::unicode);
}

bool is_uri_template(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '{') {
      const std::size_t end = text.find('}', i);
      if (end == std::string_view::npos) return false;
      if (!is_expression(text.substr(i + 1, end - i - 1))) return false;
      i = end + 1;
    } else if (text[i] == '%') {
      if (!is_percent_escape(text, i)) return false;
      i += 3;
    } else if (!is_template_literal(base::next_code_point(text, i))) {
      return false;
    }
  }
  return true;
}

}  // namespace squall::schema::formats
