#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/result.h"

namespace squall::transport {

/// "http://host:port/path?query" taken apart; scheme and host in lower case, IPv6 hosts without
/// brackets. Refuses user names, fragments, and whatever isn't visible ASCII.
struct Url {
  std::string scheme;
  std::string host;
  std::uint16_t port = 0;
  std::string target;  ///< path and query, at least "/"
  [[nodiscard]] static Result<Url> parse(std::string_view text);
  [[nodiscard]] std::string authority() const;  ///< "host:port"
  /// "host", and ":port" unless the scheme implies it: for the Host header.
  [[nodiscard]] std::string host_and_port() const;
  /// "https://host:port", with the port that the scheme implies left out.
  [[nodiscard]] std::string origin() const;
  /// What `reference` means on this page, such as a Location header (RFC 3986 section 5.2); a
  /// fragment is dropped. Refuses what `parse` refuses.
  [[nodiscard]] Result<Url> resolve(std::string_view reference) const;
  bool operator==(const Url&) const = default;
};

}  // namespace squall::transport
