#pragma once

#include "squall/auth/dpop.h"
#include "squall/auth/fetch.h"
#include "squall/auth/metadata.h"
#include "squall/auth/token.h"
#include "squall/json/value.h"
#include "squall/runtime/loop.h"

namespace squall::auth {

/// What is to be authorized, and where.
struct Terms {
  ServerMetadata server;
  std::string resource;  ///< sent as `resource` (RFC 8707), unchanged
  Scopes scopes;         ///< empty: none is named
  Dpop* dpop = nullptr;  ///< null: a bearer token
};

/// How the account proves itself to this server: its own method, else the best both know.
[[nodiscard]] Result<ClientAuth> choose_auth(const Account& account, const ServerMetadata& server);

using DocumentResult = std::expected<json::Value, Refusal>;

/// Asks token endpoints for tokens.
class TokenEndpoint {
 public:
  /// Both outlive it.
  TokenEndpoint(runtime::Loop& loop, Fetch& fetch) : loop_(loop), fetch_(fetch) {}

  /// Sends `form` as `account`, with the terms' resource: what the server grants. With DPoP, a
  /// server that wants a nonce is asked once more. Errors quote the server, but no secret.
  Task<DocumentResult> post(const Terms& terms, const Account& account, Form form);
  /// As `post`, for an access token of the kind the terms ask for.
  Task<TokenResult> request(const Terms& terms, const Account& account, Form form);

 private:
  Task<Result<FetchResponse>> send(const Terms& terms, const FetchRequest& request);

  runtime::Loop& loop_;
  Fetch& fetch_;
};

inline constexpr std::size_t kTokenBytesMax = 32 << 10;

}  // namespace squall::auth
