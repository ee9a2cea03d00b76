#pragma once

#include "squall/transport/http.h"

namespace squall::transport {

/// Sets `path` and `query` from the target, which may be "/path?query", "http://host/path?query",
/// "*" for OPTIONS, or "host:port" for CONNECT; false when it is none of these.
///
/// The host of an absolute target takes the place of the Host header's (RFC 9112 section 3.2.2), so
/// that whoever checks the host checks the one that was asked for.
[[nodiscard]] bool split_target(HttpRequest& request);

}  // namespace squall::transport
