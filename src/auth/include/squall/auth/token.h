#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "squall/auth/form.h"
#include "squall/auth/secret.h"
#include "squall/auth/signing_key.h"
#include "squall/base/result.h"

namespace squall::auth {

using WallTime = std::chrono::system_clock::time_point;

/// An access token and what the server said with it.
struct Token {
  Secret access_token;
  Secret refresh_token;  ///< empty when there is none
  bool dpop = false;     ///< bound to a key: sent as "DPoP", with proofs
  std::optional<WallTime> expires;
  Scopes scopes;          ///< granted, as far as the server said
  std::string client_id;  ///< whom it was given to
};

/// How a client proves itself at a token endpoint; names as on the wire.
enum class ClientAuth { none, client_secret_basic, client_secret_post, private_key_jwt };
[[nodiscard]] std::string_view name_of(ClientAuth method);
[[nodiscard]] std::optional<ClientAuth> client_auth_from(std::string_view name);

/// Who we are at an authorization server.
struct Account {
  std::string id;
  Secret secret;                          ///< empty: none
  std::shared_ptr<const SigningKey> key;  ///< for private_key_jwt
  std::string key_id;                     ///< the `kid` of its signatures; "" sends none
  std::optional<ClientAuth> method;       ///< unset: what the server takes of what we have
};

/// Why there is no token: a refusal by the server has its code ("invalid_grant").
struct Refusal {
  Error error;
  std::string code;
  operator Error() const { return error; }
};
using TokenResult = std::expected<Token, Refusal>;

}  // namespace squall::auth
