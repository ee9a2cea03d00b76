#pragma once

#include <string>
#include <string_view>

#include "squall/auth/fetch.h"
#include "squall/auth/metadata.h"
#include "squall/auth/store.h"

/// @file Dynamic client registration (RFC 7591).

namespace squall::auth {

/// What we say of ourselves: a native application with one loopback redirect.
[[nodiscard]] std::string registration_request(std::string_view client_name,
                                               const std::string& redirect_uri,
                                               const ServerMetadata& server);

/// Who we are from now on at that server.
[[nodiscard]] Result<StoredClient> parse_registration(const FetchResponse& response,
                                                      const std::string& redirect_uri);

}  // namespace squall::auth
