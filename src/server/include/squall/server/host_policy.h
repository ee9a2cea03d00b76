#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace squall::server {

/// Which hosts and origins may talk to us: loopback by default, so that a web page that rebinds a
/// name to 127.0.0.1 can't. Names are compared parsed and normalised, ports don't matter unless an
/// allowed entry names one.
class HostPolicy {
 public:
  HostPolicy(const std::vector<std::string>& hosts, const std::vector<std::string>& origins);
  /// The value of a Host header: "localhost:3000", "[::1]".
  [[nodiscard]] bool allows_host(std::string_view host) const;
  /// The value of an Origin header: "http://localhost:5173". "null" never passes.
  [[nodiscard]] bool allows_origin(std::string_view origin) const;

 private:
  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
};

/// A host and port taken apart and normalised: lower case, no trailing dot, addresses in their
/// usual text however they were spelled. Nothing when `text` is no authority.
struct Authority {
  std::string host;
  std::string port;  ///< "" when none is named
  [[nodiscard]] static std::optional<Authority> parse(std::string_view text);
  [[nodiscard]] bool is_loopback() const;
};

}  // namespace squall::server
