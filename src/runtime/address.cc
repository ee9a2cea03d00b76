#include "address.h"

#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include "squall/base/text.h"

namespace squall::runtime {
namespace {

constexpr std::size_t kHostBytesMax = 255;
/// More addresses than this for one name are not tried.
constexpr std::size_t kAddressesMax = 16;

Address make_v4(const in_addr& host, std::uint16_t port) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  v4.sin_family = AF_INET;
  v4.sin_addr = host;
  v4.sin_port = htons(port);
  address.size = sizeof v4;
  return address;
}

Address make_v6(const in6_addr& host, std::uint16_t port) {
  Address address;
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  v6.sin6_family = AF_INET6;
  v6.sin6_addr = host;
  v6.sin6_port = htons(port);
  address.size = sizeof v6;
  return address;
}

bool names_loopback(const std::string& host) {
  std::string name = base::to_lower(host);
  if (name.ends_with('.')) name.pop_back();
  return name == "localhost" || name.ends_with(".localhost");
}

}  // namespace

std::uint16_t Address::port() const {
  if (storage.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  }
  if (storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  }
  return 0;
}

std::string Address::text() const {
  char host[INET6_ADDRSTRLEN] = "";
  if (storage.ss_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(storage).sin_addr, host,
                sizeof host);
  } else if (storage.ss_family == AF_INET6) {
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr, host,
                sizeof host);
  } else {
    return "socket";
  }
  return endpoint_text(host, port());
}

std::optional<std::vector<Address>> local_addresses(const std::string& host, std::uint16_t port) {
  std::string bare = host;
  if (bare.size() > 2 && bare.front() == '[' && bare.back() == ']') {
    bare = bare.substr(1, bare.size() - 2);
  }
  in_addr v4 = {};
  if (::inet_pton(AF_INET, bare.c_str(), &v4) == 1) return std::vector{make_v4(v4, port)};
  in6_addr v6 = {};
  if (::inet_pton(AF_INET6, bare.c_str(), &v6) == 1) return std::vector{make_v6(v6, port)};
  if (!names_loopback(bare)) return std::nullopt;
  v4.s_addr = htonl(INADDR_LOOPBACK);
  return std::vector{make_v4(v4, port), make_v6(in6addr_loopback, port)};
}

Result<std::vector<Address>> resolve_blocking(const std::string& host, std::uint16_t port) {
  if (host.empty()) return fail(ErrorKind::invalid, "the host is empty");
  if (host.size() > kHostBytesMax) return fail(ErrorKind::invalid, "the host name is too long");
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &list); code != 0) {
    const std::string why = code == EAI_SYSTEM ? system_text(errno) : ::gai_strerror(code);
    return fail(ErrorKind::unavailable, "cannot resolve " + host + ": " + why);
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
  std::vector<Address> found;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    if (found.size() == kAddressesMax) break;
    if (entry->ai_family == AF_INET) {
      found.push_back(make_v4(reinterpret_cast<sockaddr_in*>(entry->ai_addr)->sin_addr, port));
    } else if (entry->ai_family == AF_INET6) {
      // Copied whole: a link-local address is nothing without its scope.
      Address address;
      std::memcpy(&address.storage, entry->ai_addr, sizeof(sockaddr_in6));
      reinterpret_cast<sockaddr_in6&>(address.storage).sin6_port = htons(port);
      address.size = sizeof(sockaddr_in6);
      found.push_back(address);
    }
  }
  if (found.empty()) {
    return fail(ErrorKind::unavailable, "cannot resolve " + host + ": it has no address");
  }
  return found;
}

std::string endpoint_text(const std::string& host, std::uint16_t port) {
  const bool bare_v6 = host.find(':') != std::string::npos && host.front() != '[';
  const std::string port_text = std::to_string(port);
  return bare_v6 ? "[" + host + "]:" + port_text : host + ":" + port_text;
}

std::string system_text(int number) {
  std::string text = std::generic_category().message(number);
  if (!text.empty()) text[0] = base::to_lower(text.substr(0, 1))[0];
  return text;
}

}  // namespace squall::runtime
