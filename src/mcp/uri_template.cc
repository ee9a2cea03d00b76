#include "squall/mcp/uri_template.h"

#include <algorithm>

namespace squall::mcp {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-';
  });
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

}  // namespace

Result<UriTemplate> UriTemplate::parse(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorKind::invalid,
                "URI template \"" + std::string(text) + "\" " + std::string(why));
  };
  UriTemplate out;
  out.text_ = text;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t brace = text.find_first_of("{}", at);
    if (brace != at) {
      const std::string_view literal = text.substr(at, brace - at);
      out.parts_.push_back({std::string(literal), false, false});
      at += literal.size();
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (text[at] == '}' || end == std::string_view::npos) return refuse("has unbalanced braces");
    std::string_view name = text.substr(at + 1, end - at - 1);
    const bool reserved = name.starts_with('+');
    if (reserved) name.remove_prefix(1);
    if (!is_name(name)) return refuse("uses an expression other than {name} or {+name}");
    for (const Part& part : out.parts_) {
      if (part.variable && part.text == name) return refuse("names a variable twice");
    }
    if (!out.parts_.empty() && out.parts_.back().variable) {
      return refuse("has two variables without a literal between them");
    }
    out.parts_.push_back({std::string(name), true, reserved});
    at = end + 1;
  }
  return out;
}

std::optional<UriTemplate::Variables> UriTemplate::match(std::string_view uri) const {
  Variables variables;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!part.variable) {
      if (!uri.starts_with(part.text)) return std::nullopt;
      uri.remove_prefix(part.text.size());
      continue;
    }
    // A variable takes all up to the next literal; the last literal is looked for from the end.
    std::size_t length = uri.size();
    if (i + 1 < parts_.size()) {
      const bool last = i + 2 == parts_.size();
      length = last ? uri.rfind(parts_[i + 1].text) : uri.find(parts_[i + 1].text);
    }
    if (length == std::string_view::npos || length == 0) return std::nullopt;
    const std::string_view value = uri.substr(0, length);
    if (!part.reserved && value.find_first_of("/?#") != std::string_view::npos) {
      return std::nullopt;
    }
    variables.emplace_back(part.text, percent_decode(value));
    uri.remove_prefix(length);
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

std::vector<std::string> UriTemplate::names() const {
  std::vector<std::string> out;
  for (const Part& part : parts_) {
    if (part.variable) out.push_back(part.text);
  }
  return out;
}

}  // namespace squall::mcp
