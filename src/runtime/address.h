#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "squall/base/result.h"

namespace squall::runtime {

/// An IPv4 or IPv6 socket address.
struct Address {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_storage);

  [[nodiscard]] sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
  [[nodiscard]] const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  [[nodiscard]] std::uint16_t port() const;
  /// "127.0.0.1:80", "[::1]:80".
  [[nodiscard]] std::string text() const;
};

/// A literal IPv4 or IPv6 address (in brackets or not), or "localhost" and names below it, which
/// are the loopback addresses without asking anybody (RFC 6761 section 6.3). Else nothing.
[[nodiscard]] std::optional<std::vector<Address>> local_addresses(const std::string& host,
                                                                  std::uint16_t port);
/// Asks the system's resolver, which may block for seconds.
[[nodiscard]] Result<std::vector<Address>> resolve_blocking(const std::string& host,
                                                            std::uint16_t port);

/// "host:port", with brackets around an IPv6 host.
[[nodiscard]] std::string endpoint_text(const std::string& host, std::uint16_t port);
/// The system's text for `number`, beginning in lower case: "address already in use".
[[nodiscard]] std::string system_text(int number);

}  // namespace squall::runtime
