#include "plain_text.h"

#include "squall/base/text.h"
#include "squall/json/value.h"

namespace squall::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Others' bytes as UTF-8.
std::string as_utf8(std::string_view text) {
  if (base::find_invalid_utf8(text) == std::string_view::npos) return std::string(text);
  return std::string(json::Value(text).string());
}

bool is_control(char32_t c) {
  // C0, DEL and C1, and what turns the direction of text around.
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
}

bool is_xml(char32_t c) {
  return (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') && c != 0xFFFE && c != 0xFFFF;
}

std::string_view xml_entity(char32_t c, bool attribute) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    case '\r':
      return "&#xD;";
    case '\n':
      return attribute ? "&#xA;" : "";
    case '\t':
      return attribute ? "&#x9;" : "";
    default:
      return "";
  }
}

}  // namespace

std::string one_line(std::string_view text, std::size_t bytes_max) {
  const std::string clean = as_utf8(text);
  std::string out;
  for (std::size_t at = 0; at < clean.size();) {
    if (out.size() >= bytes_max) return out + "...";
    const char32_t c = base::next_code_point(clean, at);
    if (is_control(c)) {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : kReplacement;
    } else {
      base::append_utf8(out, c);
    }
  }
  return out;
}

std::string xml_escaped(std::string_view text, bool attribute) {
  const std::string clean = as_utf8(text);
  std::string out;
  out.reserve(clean.size());
  for (std::size_t at = 0; at < clean.size();) {
    const char32_t c = base::next_code_point(clean, at);
    const std::string_view entity = xml_entity(c, attribute);
    if (!is_xml(c)) {
      out += kReplacement;
    } else if (!entity.empty()) {
      out += entity;
    } else {
      base::append_utf8(out, c);
    }
  }
  return out;
}

}  // namespace squall::report
