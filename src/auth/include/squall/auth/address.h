#pragma once

#include <string>
#include <string_view>

#include "squall/base/result.h"

/// @file Which URLs we talk to, and how resources and servers compare.

namespace squall::auth {

/// Where a URL that somebody else named may lead. Plain HTTP to the own machine is for servers that
/// run there themselves; no other server may send us to local ports.
enum class Reach {
  https,     ///< https only
  loopback,  ///< https, or http to localhost, 127.0.0.0/8 or ::1
};

/// The reach that a server at `server_url` has: its own machine's when it is there itself.
[[nodiscard]] Reach reach_of(std::string_view server_url);

/// Refuses what is no absolute URL within `reach`, has a user name or a fragment, or is longer than
/// 4 KiB. `what` names the URL in the error.
[[nodiscard]] Result<void> check_url(std::string_view url, Reach reach, std::string_view what);

/// "https://host", with the port unless it is the scheme's own.
[[nodiscard]] Result<std::string> origin_of(std::string_view url);
/// The path without the query; "" for the root, so that it can be put behind an origin.
[[nodiscard]] Result<std::string> path_of(std::string_view url);

/// A server's URL as a resource (RFC 8707): scheme and host in lower case, no query, no slash for
/// a mere host.
[[nodiscard]] Result<std::string> canonical_resource(std::string_view server_url);

/// Whether `resource`, as its metadata names it, is the server or holds it: the same origin, and a
/// path that is the server's or a parent of it.
[[nodiscard]] bool covers(std::string_view resource, std::string_view server_url);

}  // namespace squall::auth
