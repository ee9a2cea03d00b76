#include "uri.h"

#include <algorithm>

namespace squall::schema {
namespace {

std::optional<std::string_view> take_scheme(std::string_view& rest) noexcept {
  const std::size_t colon = rest.find_first_of(":/?#");
  if (colon == std::string_view::npos || colon == 0 || rest[colon] != ':') return std::nullopt;
  const std::string_view scheme = rest.substr(0, colon);
  rest.remove_prefix(colon + 1);
  return scheme;
}

void remove_last_segment(std::string& path) {
  const std::size_t slash = path.rfind('/');
  path.erase(slash == std::string::npos ? 0 : slash);
}

// RFC 3986 section 5.2.4.
std::string remove_dot_segments(std::string_view input) {
  std::string output;
  while (!input.empty()) {
    if (input.starts_with("../")) {
      input.remove_prefix(3);
    } else if (input.starts_with("./") || input.starts_with("/./")) {
      input.remove_prefix(2);
    } else if (input == "/.") {
      input = "/";
    } else if (input.starts_with("/../")) {
      input.remove_prefix(3);
      remove_last_segment(output);
    } else if (input == "/..") {
      input = "/";
      remove_last_segment(output);
    } else if (input == "." || input == "..") {
      input = {};
    } else {
      const std::size_t end = std::min(input.find('/', 1), input.size());
      output += input.substr(0, end);
      input.remove_prefix(end);
    }
  }
  return output;
}

std::string merge_paths(const UriParts& base, std::string_view path) {
  if (base.authority.has_value() && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  if (slash == std::string_view::npos) return std::string(path);
  return std::string(base.path.substr(0, slash + 1)) + std::string(path);
}

std::string join(const UriParts& parts) {
  std::string uri;
  if (parts.scheme) uri.append(*parts.scheme).append(":");
  if (parts.authority) uri.append("//").append(*parts.authority);
  uri += parts.path;
  if (parts.query) uri.append("?").append(*parts.query);
  if (parts.fragment) uri.append("#").append(*parts.fragment);
  return uri;
}

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

UriParts split_uri(std::string_view uri) noexcept {
  UriParts parts;
  if (const std::size_t hash = uri.find('#'); hash != std::string_view::npos) {
    parts.fragment = uri.substr(hash + 1);
    uri = uri.substr(0, hash);
  }
  if (const std::size_t mark = uri.find('?'); mark != std::string_view::npos) {
    parts.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  parts.scheme = take_scheme(uri);
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::size_t end = std::min(uri.find('/'), uri.size());
    parts.authority = uri.substr(0, end);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  if (base.empty()) return std::string(reference);
  const UriParts from = split_uri(base);
  UriParts to = split_uri(reference);
  std::string path;
  if (to.scheme || to.authority) {
    path = remove_dot_segments(to.path);
  } else if (to.path.empty()) {
    path = from.path;
    if (!to.query) to.query = from.query;
  } else {
    path = remove_dot_segments(to.path.starts_with('/') ? std::string(to.path)
                                                        : merge_paths(from, to.path));
  }
  if (!to.scheme) {
    to.scheme = from.scheme;
    if (!to.authority) to.authority = from.authority;
  }
  to.path = path;
  return join(to);
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

}  // namespace squall::schema
