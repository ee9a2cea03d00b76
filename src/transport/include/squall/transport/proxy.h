#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/transport/url.h"

/// @file HTTP proxies, as the environment names them.

namespace squall::transport {

/// A proxy. What lets us in is kept beside its address, and never part of any text.
struct Proxy {
  Url address{};                ///< http or https
  std::string authorization{};  ///< the value of Proxy-Authorization, a secret; "" sends none
};

/// Which proxy to take for which URL, read from environment variables the way curl reads them:
/// `http_proxy` (not HTTP_PROXY, which CGI lets strangers set), `https_proxy` or `HTTPS_PROXY`,
/// `all_proxy` or `ALL_PROXY`, `no_proxy` or `NO_PROXY`; the lower-case one wins, and an empty one
/// switches off.
///
/// A proxy is "[http[s]://][user:password@]host[:port]" (port 1080 or 443 unless named). `no_proxy`
/// lists, by commas or blanks, hosts with all that is below them ("example.com", ".example.com"),
/// addresses, networks ("10.0.0.0/8", "fd00::/8"), or "*" for everything.
class ProxySettings {
 public:
  ProxySettings() = default;
  using Environment = std::map<std::string, std::string, std::less<>>;
  /// Reads no more than what it is given. Errors name the variable and never its value.
  [[nodiscard]] static Result<ProxySettings> from_environment(const Environment& environment);
  /// The proxy for `url`; null: none.
  [[nodiscard]] const Proxy* choose(const Url& url) const;

 private:
  std::optional<Proxy> http_;
  std::optional<Proxy> https_;
  std::vector<std::string> direct_;  // of no_proxy, in lower case
};

}  // namespace squall::transport
