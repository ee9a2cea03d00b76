#include "squall/transport/proxy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <arpa/inet.h>

#include "squall/base/text.h"

namespace squall::transport {

namespace {

constexpr std::size_t kVariableBytesMax = 64 << 10;
constexpr std::size_t kExceptionsMax = 1'000;

/// The lower-case variable, or else the upper-case one ("" leaves that out).
std::optional<std::pair<std::string_view, std::string_view>> find(
    const ProxySettings::Environment& environment, std::string_view lower, std::string_view upper) {
  for (const std::string_view name : {lower, upper}) {
    if (const auto found = environment.find(name); found != environment.end()) {
      return std::pair(name, std::string_view(found->second));
    }
  }
  return std::nullopt;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    const char* const from = text.data() + i + 1;
    if (i + 2 >= text.size() || std::from_chars(from, from + 2, byte, 16).ptr != from + 2) {
      return std::nullopt;
    }
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

/// What is behind the scheme, with the port that curl takes where none is named.
Result<Url> parse_address(const std::string& scheme, std::string_view authority) {
  SQUALL_TRY(Url url, Url::parse(scheme + "://" + std::string(authority)));
  const std::size_t host_end = authority.starts_with('[') ? authority.find(']') : 0;
  const bool names_port = authority.find(':', host_end) != std::string_view::npos;
  if (scheme == "http" && !names_port) url.port = 1080;
  url.target = "/";
  return url;
}

Result<std::optional<Proxy>> parse_proxy(std::string_view variable, std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorKind::invalid,
                "the proxy in " + std::string(variable) + " " + std::string(why));
  };
  text = base::trim(text);
  if (text.empty()) return std::nullopt;
  if (text.size() > kVariableBytesMax) return refuse("is too long");
  std::string scheme = "http";
  if (const std::size_t end = text.find("://"); end != std::string_view::npos) {
    scheme = base::to_lower(text.substr(0, end));
    text.remove_prefix(end + 3);
  }
  if (scheme != "http" && scheme != "https") return refuse("is neither http nor https");
  Proxy proxy;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    const std::string_view user_info = text.substr(0, at);
    text.remove_prefix(at + 1);
    const std::size_t colon = std::min(user_info.find(':'), user_info.size());
    const auto user = percent_decode(user_info.substr(0, colon));
    const auto password = percent_decode(user_info.substr(std::min(colon + 1, user_info.size())));
    if (!user || !password) return refuse("has a user name or password with a broken escape");
    proxy.authorization = "Basic " + base::base64_encode(*user + ":" + *password);
  }
  text = text.substr(0, text.find_first_of("/?#"));
  auto address = parse_address(scheme, text);
  if (!address) return refuse("has no usable address: " + address.error().message);
  proxy.address = *std::move(address);
  return proxy;
}

using Address = std::array<unsigned char, 16>;

/// The bytes of an IPv4 or IPv6 address, and how many there are; 0 when it is neither.
std::size_t parse_ip(const std::string& text, Address& out) {
  if (inet_pton(AF_INET, text.c_str(), out.data()) == 1) return 4;
  if (inet_pton(AF_INET6, text.c_str(), out.data()) == 1) return 16;
  return 0;
}

/// Whether `host` is an address in `network`, such as "10.0.0.0/8" or a lone address.
bool is_in_network(const std::string& host, std::string_view network) {
  const std::size_t slash = std::min(network.find('/'), network.size());
  std::string base(network.substr(0, slash));
  if (base.starts_with('[') && base.ends_with(']')) base = base.substr(1, base.size() - 2);
  Address address{};
  Address wanted{};
  const std::size_t size = parse_ip(host, address);
  if (size == 0 || parse_ip(base, wanted) != size) return false;
  std::size_t bits = size * 8;
  if (slash < network.size()) {
    const std::string_view digits = network.substr(slash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (error != std::errc{} || end != digits.data() + digits.size() || bits > size * 8)
      return false;
  }
  for (std::size_t i = 0; i < bits; ++i) {
    const auto mask = static_cast<unsigned char>(0x80 >> (i % 8));
    if (((address[i / 8] ^ wanted[i / 8]) & mask) != 0) return false;
  }
  return true;
}

/// Whether `host` is `name` or below it.
bool is_under(std::string_view host, std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  if (name.ends_with('.')) name.remove_suffix(1);
  if (host.ends_with('.')) host.remove_suffix(1);
  if (name.empty() || !host.ends_with(name)) return false;
  return host.size() == name.size() || host[host.size() - name.size() - 1] == '.';
}

Result<std::vector<std::string>> parse_exceptions(std::string_view variable,
                                                  std::string_view text) {
  std::vector<std::string> out;
  constexpr std::string_view kBetween = ", \t";
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
    if (text.empty()) return out;
    const std::string_view word = text.substr(0, text.find_first_of(kBetween));
    text.remove_prefix(word.size());
    if (out.size() == kExceptionsMax) {
      return fail(ErrorKind::limit, std::string(variable) + " lists too many hosts");
    }
    out.push_back(base::to_lower(word));
  }
}

}  // namespace

Result<ProxySettings> ProxySettings::from_environment(const Environment& environment) {
  ProxySettings settings;
  const auto all = find(environment, "all_proxy", "ALL_PROXY");
  const auto http = find(environment, "http_proxy", "");
  const auto https = find(environment, "https_proxy", "HTTPS_PROXY");
  const auto none = std::pair<std::string_view, std::string_view>();
  const auto [http_name, http_text] = http ? *http : all.value_or(none);
  const auto [https_name, https_text] = https ? *https : all.value_or(none);
  SQUALL_TRY(settings.http_, parse_proxy(http_name, http_text));
  SQUALL_TRY(settings.https_, parse_proxy(https_name, https_text));
  if (const auto exceptions = find(environment, "no_proxy", "NO_PROXY")) {
    SQUALL_TRY(settings.direct_, parse_exceptions(exceptions->first, exceptions->second));
  }
  return settings;
}

const Proxy* ProxySettings::choose(const Url& url) const {
  const std::optional<Proxy>& proxy = url.scheme == "https" ? https_ : http_;
  if (!proxy) return nullptr;
  const bool direct = std::any_of(direct_.begin(), direct_.end(), [&](const std::string& name) {
    return name == "*" || is_in_network(url.host, name) || is_under(url.host, name);
  });
  return direct ? nullptr : &*proxy;
}

}  // namespace squall::transport
