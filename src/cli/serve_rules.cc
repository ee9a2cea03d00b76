#include "serve_rules.h"

#include <algorithm>
#include <string_view>

#include "squall/base/text.h"
#include "squall/base/units.h"

#include "text.h"

namespace squall::cli {
namespace {

constexpr std::size_t kHostBytesMax = 253;
constexpr std::size_t kTextBytesMax = 1024;
constexpr std::chrono::hours kTimeMax{24};
constexpr std::uint64_t kSizeMax = std::uint64_t{1} << 30;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_visible(char c) { return c > ' ' && c <= '~'; }

bool is_name(std::string_view host) {
  const auto fits = [](char c) { return is_alphanumeric(c) || c == '.' || c == '-'; };
  return std::all_of(host.begin(), host.end(), fits) && is_alphanumeric(host.front()) &&
         is_alphanumeric(host.back());
}

bool is_visible_text(std::string_view text) {
  return !text.empty() && text.size() <= kTextBytesMax &&
         std::all_of(text.begin(), text.end(), is_visible);
}

/// Looks like an IPv6 address; the system settles whether it is one.
bool is_ipv6(std::string_view host) {
  constexpr std::string_view kAlphabet = "0123456789abcdefABCDEF:.";
  return std::count(host.begin(), host.end(), ':') >= 2 &&
         host.find_first_not_of(kAlphabet) == std::string_view::npos;
}

/// Zero as inet_aton reads it: "0", "000", "0x0".
bool is_zero(std::string_view number) {
  if (number.starts_with("0x")) number.remove_prefix(2);
  return !number.empty() && number.find_first_not_of('0') == std::string_view::npos;
}

/// "0.0.0.0" and its short forms.
bool is_zero_ipv4(std::string_view host) {
  while (true) {
    const std::size_t dot = host.find('.');
    if (!is_zero(host.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    host.remove_prefix(dot + 1);
  }
}

}  // namespace

std::string check_host(const std::string& host) {
  const bool fits = !host.empty() && host.size() <= kHostBytesMax;
  if (fits && (is_name(host) || is_ipv6(host))) return {};
  return "must be an address or a host name without a port, not " + quote(host);
}

std::string check_path(const std::string& path) {
  const bool fits = path.starts_with('/') && is_visible_text(path) &&
                    path.find_first_of("?#") == std::string::npos;
  if (!fits) return "must begin with '/' and hold no blank, '?' or '#', unlike " + quote(path);
  return path == "/healthz" ? "is taken: /healthz answers whether the server is up" : "";
}

std::string check_allowed_host(const std::string& text) {
  const bool bare_ipv6 = std::count(text.begin(), text.end(), ':') > 1 && !text.starts_with('[');
  if (bare_ipv6) return "needs brackets around the address " + quote(text);
  if (server::is_host_and_port(text)) return {};
  return "must be a name or an address, with a port or without, not " + quote(text);
}

std::string check_allowed_origin(const std::string& text) {
  if (server::is_origin(text)) return {};
  return "must be like https://example.com, without a path, not " + quote(text);
}

bool is_wildcard(const std::string& host) {
  const std::string lower = base::to_lower(host);
  if (lower.find(':') == std::string::npos) return is_zero_ipv4(lower);
  std::string_view rest = lower;
  constexpr std::string_view kMapped = "::ffff:";  // an IPv4 address in IPv6
  if (rest.starts_with(kMapped)) rest.remove_prefix(kMapped.size());
  return rest.find_first_not_of("0:.") == std::string_view::npos;
}

std::string check_duration(const std::string& text) {
  const auto read = base::parse_duration(text);
  if (!read) return read.error().message;
  if (*read >= std::chrono::milliseconds(1) && *read <= kTimeMax) return {};
  return "must be from 1ms to 1440m, not " + quote(text);
}

std::string check_tools(const std::string& text) {
  if (text == "fault" || text == "examples" || text == "fault,examples" ||
      text == "examples,fault") {
    return {};
  }
  return "must be fault, examples or fault,examples, not " + quote(text);
}

std::string check_size(const std::string& text) {
  const auto read = base::parse_size(text);
  if (!read) return read.error().message;
  if (*read >= 1 && *read <= kSizeMax) return {};
  return "must be from 1b to 1024mib, not " + quote(text);
}

Result<void> check_together(const ServeCommand& serve) {
  const bool certificate = !serve.http_options.tls_certificate.empty();
  if (certificate != !serve.http_options.tls_key.empty()) {
    return fail(ErrorKind::invalid, "--tls-cert and --tls-key need each other");
  }
  const server::HttpOptions& http = serve.http_options;
  if (serve.http && is_wildcard(http.host) && http.allow_hosts.empty()) {
    return fail(ErrorKind::invalid, "--host " + http.host +
                                        " opens every interface: say with --allow-host which "
                                        "names clients may use");
  }
  return {};
}

}  // namespace squall::cli
