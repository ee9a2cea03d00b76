#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/auth/redirector.h"
#include "squall/auth/store.h"
#include "squall/auth/token_endpoint.h"

/// @file The ways to get a token: one class each, all behind `Grant`.

namespace squall::auth {

/// A way to get tokens from an authorization server that has just been discovered.
class Grant {
 public:
  virtual ~Grant() = default;
  virtual Task<TokenResult> obtain(const Terms& terms) = 0;
  /// A successor of a token that this server gave; without a better way, a new one.
  virtual Task<TokenResult> renew(const Terms& terms, const Token& old);
  /// Whether it is known at this issuer: of several, such a one is chosen.
  [[nodiscard]] virtual bool knows(const std::string& issuer) const;
  /// Whether tokens outlive a person's presence, so that `offline_access` is worth asking for.
  [[nodiscard]] virtual bool wants_refresh() const { return false; }
};

/// An account that was set up by hand. It is shown to its issuer alone; with an empty issuer, to
/// whichever one the MCP server names.
struct KnownAccount {
  std::string issuer;
  Account account;
};

struct CodeGrantOptions {
  std::vector<KnownAccount> accounts;
  std::string metadata_document;  ///< the https URL of our client metadata document; "": none
  std::string redirect_uri;       ///< the one to try first; "": any
  std::string client_name = "Squall";
  bool refresh = true;  ///< ask for refresh tokens
};

/// A person agrees in a browser: authorization code with PKCE S256 (OAuth 2.1).
///
/// Who we are comes from the first of: a known account, what was registered earlier, our client
/// metadata document where the server takes such, dynamic registration (RFC 7591).
class CodeGrant : public Grant {
 public:
  /// All outlive it.
  CodeGrant(runtime::Loop& loop, Fetch& fetch, Store& store, Redirector& redirector,
            CodeGrantOptions options = {});
  Task<TokenResult> obtain(const Terms& terms) override;
  Task<TokenResult> renew(const Terms& terms, const Token& old) override;
  [[nodiscard]] bool knows(const std::string& issuer) const override;
  [[nodiscard]] bool wants_refresh() const override { return options_.refresh; }

 private:
  /// The account to use with this redirect URI, registered if need be.
  Task<Result<Account>> identify(const Terms& terms, const std::string& redirect_uri);
  /// The account without registering; nothing when there is none for this redirect ("": any).
  Result<std::optional<Account>> known_account(const ServerMetadata& server,
                                               const std::string& redirect_uri);
  Task<Result<Account>> enrol(const Terms& terms, const std::string& redirect_uri);
  Result<std::string> earlier_redirect(const std::string& issuer);

  runtime::Loop& loop_;
  Fetch& fetch_;
  Store& store_;
  Redirector& redirector_;
  CodeGrantOptions options_;
  TokenEndpoint endpoint_;
};

/// The client speaks for itself: client credentials, by secret or by signature.
class ClientCredentialsGrant : public Grant {
 public:
  ClientCredentialsGrant(runtime::Loop& loop, Fetch& fetch, KnownAccount account)
      : endpoint_(loop, fetch), account_(std::move(account)) {}
  Task<TokenResult> obtain(const Terms& terms) override;
  [[nodiscard]] bool knows(const std::string& issuer) const override;

 private:
  TokenEndpoint endpoint_;
  KnownAccount account_;
};

/// Where a JWT comes from that an authorization server takes for a token (RFC 7523).
class AssertionSource {
 public:
  virtual Task<std::expected<Secret, Refusal>> assertion(const Terms& terms) = 0;

 protected:
  ~AssertionSource() = default;
};

/// An assertion that somebody else keeps fresh, such as a platform's workload identity: `read` is
/// called for each token.
class WorkloadIdentity final : public AssertionSource {
 public:
  explicit WorkloadIdentity(std::function<Result<Secret>()> read) : read_(std::move(read)) {}
  Task<std::expected<Secret, Refusal>> assertion(const Terms& terms) override;

 private:
  std::function<Result<Secret>()> read_;
};

/// An enterprise's identity provider, where the person has logged in already.
struct IdentityProvider {
  std::string issuer;
  std::string token_endpoint;
  Account account;  ///< who we are there
};

/// Exchanges the person's id token at the identity provider for an assertion to one authorization
/// server, the ID-JAG (RFC 8693; enterprise-managed authorization).
class IdentityAssertion final : public AssertionSource {
 public:
  /// `id_token` is called for each exchange.
  IdentityAssertion(runtime::Loop& loop, Fetch& fetch, IdentityProvider provider,
                    std::function<Result<Secret>()> id_token)
      : endpoint_(loop, fetch), provider_(std::move(provider)), id_token_(std::move(id_token)) {}
  Task<std::expected<Secret, Refusal>> assertion(const Terms& terms) override;

 private:
  TokenEndpoint endpoint_;
  IdentityProvider provider_;
  std::function<Result<Secret>()> id_token_;
};

/// An assertion for a token: the JWT bearer grant (RFC 7523). A refusal is final.
class AssertionGrant : public Grant {
 public:
  /// `source` outlives it.
  AssertionGrant(runtime::Loop& loop, Fetch& fetch, KnownAccount account, AssertionSource& source)
      : endpoint_(loop, fetch), account_(std::move(account)), source_(source) {}
  Task<TokenResult> obtain(const Terms& terms) override;
  [[nodiscard]] bool knows(const std::string& issuer) const override;

 private:
  TokenEndpoint endpoint_;
  KnownAccount account_;
  AssertionSource& source_;
};

}  // namespace squall::auth
