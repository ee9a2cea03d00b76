#include "squall/transport/url.h"

#include <algorithm>
#include <charconv>

#include "squall/base/text.h"

namespace squall::transport {

namespace {

bool is_visible_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

bool is_one_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

constexpr std::string_view kNameChars =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
constexpr std::string_view kIpv6Chars = "0123456789abcdefABCDEF:.";

/// Takes the host from the front of `authority`, and leaves "" or ":port".
Result<std::string> take_host(std::string_view& authority) {
  std::size_t end = authority.find(':');
  if (authority.starts_with('[')) {
    end = authority.find(']');
    const std::string_view address = authority.substr(1, end == authority.npos ? end : end - 1);
    if (end == authority.npos || !is_one_of(address, kIpv6Chars) || !address.contains(':')) {
      return fail(ErrorKind::invalid, "the host is no address in brackets");
    }
    authority.remove_prefix(end + 1);
    return base::to_lower(address);
  }
  const std::string_view name = authority.substr(0, end);
  if (!is_one_of(name, kNameChars)) return fail(ErrorKind::invalid, "the host is malformed");
  authority.remove_prefix(name.size());
  return base::to_lower(name);
}

Result<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0 || text.size() > 5) {
    return fail(ErrorKind::invalid, "the port is no number from 1 to 65535");
  }
  return port;
}

std::uint16_t implied_port(std::string_view scheme) { return scheme == "http" ? 80 : 443; }

std::string bracketed(const std::string& host) {
  return host.contains(':') ? "[" + host + "]" : host;
}

bool has_scheme(std::string_view reference) {
  const std::size_t end = reference.find_first_of(":/?");
  return end != std::string_view::npos && end > 0 && reference[end] == ':';
}

/// RFC 3986 section 5.2.4: "/a/./b/../c" is "/a/c". `path` begins with '/'.
std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(1, end - 1);
    path.remove_prefix(end);
    const bool up = segment == "..";
    if (up) out.erase(std::min(out.rfind('/'), out.size()));
    if (!up && segment != ".") {
      out += '/';
      out += segment;
    } else if (path.empty()) {
      out += '/';
    }
  }
  return out;
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  if (!is_visible_ascii(text)) return fail(ErrorKind::invalid, "a URL is visible ASCII");
  const std::size_t colon = text.find("://");
  Url url;
  url.scheme = base::to_lower(text.substr(0, colon));
  if (colon == std::string_view::npos || (url.scheme != "http" && url.scheme != "https")) {
    return fail(ErrorKind::invalid, "the URL does not begin with http:// or https://");
  }
  text.remove_prefix(colon + 3);
  if (text.contains('#')) return fail(ErrorKind::invalid, "a fragment is never sent");
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  std::string_view authority = text.substr(0, end);
  if (authority.contains('@')) {
    return fail(ErrorKind::invalid, "user names and passwords do not belong in a URL");
  }
  SQUALL_TRY(url.host, take_host(authority));
  url.port = implied_port(url.scheme);
  if (authority.starts_with(':')) {
    SQUALL_TRY(url.port, read_port(authority.substr(1)));
  } else if (!authority.empty()) {
    return fail(ErrorKind::invalid, "the host is malformed");
  }
  url.target = text.substr(end);
  if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
  return url;
}

std::string Url::authority() const { return bracketed(host) + ":" + std::to_string(port); }

std::string Url::host_and_port() const {
  return port == implied_port(scheme) ? bracketed(host) : authority();
}

std::string Url::origin() const { return scheme + "://" + host_and_port(); }

Result<Url> Url::resolve(std::string_view reference) const {
  reference = reference.substr(0, reference.find('#'));
  if (!is_visible_ascii(reference)) return fail(ErrorKind::invalid, "a URL is visible ASCII");
  if (has_scheme(reference)) return parse(reference);
  if (reference.starts_with("//")) return parse(scheme + ":" + std::string(reference));
  Url out = *this;
  if (reference.empty()) return out;
  const std::string_view path = std::string_view(target).substr(0, target.find('?'));
  const std::size_t query = std::min(reference.find('?'), reference.size());
  std::string merged(path);
  if (reference.starts_with('/')) {
    merged = reference.substr(0, query);
  } else if (query > 0) {
    merged = path.substr(0, path.rfind('/') + 1);
    merged += reference.substr(0, query);
  }
  out.target = without_dots(merged);
  out.target += reference.substr(query);
  return out;
}

}  // namespace squall::transport
