#pragma once

#include <expected>
#include <string_view>

#include "squall/auth/metadata.h"
#include "squall/auth/token.h"

namespace squall::auth {

/// The authorization code that came back in `url`. Refuses an answer with another state, and one
/// from another issuer (RFC 9207): `iss` must be the server's, character by character, and must be
/// there when the server promised it. An error that the right server sent is a Refusal with a code.
[[nodiscard]] std::expected<Secret, Refusal> read_answer(std::string_view url, const Secret& state,
                                                         const ServerMetadata& server);

}  // namespace squall::auth
