#include "squall/server/host_policy.h"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>

#include "squall/base/text.h"
#include "squall/server/serve.h"

namespace squall::server {

namespace {

constexpr std::size_t kHostBytesMax = 255;

std::optional<std::string> normal_ipv6(std::string_view text) {
  in6_addr address{};
  if (inet_pton(AF_INET6, std::string(text).c_str(), &address) != 1) return std::nullopt;
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    char buffer[INET_ADDRSTRLEN];
    return inet_ntop(AF_INET, address.s6_addr + 12, buffer, sizeof buffer);
  }
  char buffer[INET6_ADDRSTRLEN];
  return inet_ntop(AF_INET6, &address, buffer, sizeof buffer);
}

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether URLs read `host` as an IPv4 address: what stands behind its last dot is a number.
bool ends_in_number(std::string_view host) {
  std::string_view last = host.substr(host.rfind('.') + 1);
  std::string_view digits = "0123456789";
  if (last.starts_with("0x")) {
    last.remove_prefix(2);
    digits = "0123456789abcdef";
  }
  return last.find_first_not_of(digits) == std::string_view::npos;
}

/// "127.0.0.1" for "127.1", "0x7f.1" and "2130706433": clients send what stands in their URL.
std::optional<std::string> normal_ipv4(const std::string& text) {
  in_addr address{};
  if (inet_aton(text.c_str(), &address) == 0) return std::nullopt;
  char buffer[INET_ADDRSTRLEN];
  return inet_ntop(AF_INET, &address, buffer, sizeof buffer);
}

bool is_scheme(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
                  c == '.';
         });
}

bool is_host_name(std::string_view text) {
  if (text.empty() || text.front() == '.' || text.back() == '.') return false;
  return text.find("..") == std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
                  c == '_';
         });
}

bool is_port(std::string_view text) {
  constexpr int kPortMax = 65535;
  int port = 0;
  if (text.empty()) return true;
  if (text.size() > 5 || !is_digits(text)) return false;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port <= kPortMax;
}

/// "scheme://host:port" with the default port of the scheme left out; "" when it is no origin.
std::string normal_origin(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return {};
  const std::string scheme = base::to_lower(text.substr(0, colon));
  const std::optional<Authority> authority = Authority::parse(text.substr(colon + 3));
  if (!authority || !is_scheme(scheme)) return {};
  const bool is_default = (scheme == "http" && authority->port == "80") ||
                          (scheme == "https" && authority->port == "443");
  std::string out = scheme + "://" + authority->host;
  if (!authority->port.empty() && !is_default) out += ":" + authority->port;
  return out;
}

bool matches(const std::string& allowed, const Authority& authority) {
  const std::optional<Authority> wanted = Authority::parse(allowed);
  return wanted && wanted->host == authority.host &&
         (wanted->port.empty() || wanted->port == authority.port);
}

}  // namespace

std::optional<Authority> Authority::parse(std::string_view text) {
  if (text.empty() || text.size() > kHostBytesMax) return std::nullopt;
  Authority out;
  std::string_view port;
  if (text.front() == '[') {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const std::optional<std::string> host = normal_ipv6(text.substr(1, end - 1));
    if (!host) return std::nullopt;
    out.host = *host;
    port = text.substr(end + 1);
    if (!port.empty() && port.front() != ':') return std::nullopt;
  } else {
    const std::size_t colon = text.find(':');
    std::string host = base::to_lower(text.substr(0, colon));
    if (host.ends_with('.')) host.pop_back();
    if (!is_host_name(host)) return std::nullopt;
    const std::optional<std::string> address =
        ends_in_number(host) ? normal_ipv4(host) : std::optional(std::move(host));
    if (!address) return std::nullopt;
    out.host = *address;
    port = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (!port.empty()) port.remove_prefix(1);
  if (!is_port(port)) return std::nullopt;
  out.port = port;
  return out;
}

bool Authority::is_loopback() const {
  if (host == "localhost" || host == "::1") return true;
  in_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

bool is_host_and_port(std::string_view text) { return Authority::parse(text).has_value(); }

bool is_origin(std::string_view text) { return !normal_origin(text).empty(); }

HostPolicy::HostPolicy(const std::vector<std::string>& hosts,
                       const std::vector<std::string>& origins)
    : hosts_(hosts) {
  for (const std::string& origin : origins) origins_.push_back(normal_origin(origin));
}

bool HostPolicy::allows_host(std::string_view host) const {
  const std::optional<Authority> authority = Authority::parse(host);
  if (!authority) return false;
  return authority->is_loopback() ||
         std::any_of(hosts_.begin(), hosts_.end(),
                     [&](const std::string& allowed) { return matches(allowed, *authority); });
}

bool HostPolicy::allows_origin(std::string_view origin) const {
  const std::string normal = normal_origin(origin);
  if (normal.empty()) return false;
  // `normal` isn't empty, so what stands behind "://" is an authority.
  if (Authority::parse(origin.substr(origin.find("://") + 3))->is_loopback()) return true;
  return std::find(origins_.begin(), origins_.end(), normal) != origins_.end();
}

}  // namespace squall::server
