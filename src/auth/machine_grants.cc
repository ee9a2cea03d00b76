#include <utility>

#include "squall/auth/grant.h"

namespace squall::auth {

namespace {

constexpr std::string_view kJwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
constexpr std::string_view kTokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr std::string_view kIdToken = "urn:ietf:params:oauth:token-type:id_token";
constexpr std::string_view kIdJag = "urn:ietf:params:oauth:token-type:id-jag";

Result<void> check_issuer(const KnownAccount& known, const ServerMetadata& server) {
  if (known.issuer.empty() || known.issuer == server.issuer) return {};
  return fail(ErrorKind::invalid, "the client's account belongs to " + known.issuer +
                                      ", and the MCP server names " + server.issuer);
}

}  // namespace

Task<TokenResult> Grant::renew(const Terms& terms, const Token&) {
  TokenResult token = co_await obtain(terms);
  co_return token;
}

bool Grant::knows(const std::string&) const { return false; }

Task<TokenResult> ClientCredentialsGrant::obtain(const Terms& terms) {
  const auto ours = check_issuer(account_, terms.server);
  if (!ours) co_return std::unexpected(Refusal{ours.error(), ""});
  Form form;
  form.add("grant_type", "client_credentials");
  form.add_unless_empty("scope", join_scopes(terms.scopes));
  TokenResult token = co_await endpoint_.request(terms, account_.account, std::move(form));
  co_return token;
}

bool ClientCredentialsGrant::knows(const std::string& issuer) const {
  return account_.issuer == issuer;
}

Task<std::expected<Secret, Refusal>> WorkloadIdentity::assertion(const Terms&) {
  Result<Secret> read = read_();
  if (!read) co_return std::unexpected(Refusal{read.error(), ""});
  co_return *std::move(read);
}

Task<std::expected<Secret, Refusal>> IdentityAssertion::assertion(const Terms& terms) {
  const auto sound =
      check_url(provider_.token_endpoint, Reach::loopback, "the identity provider's endpoint");
  if (!sound) co_return std::unexpected(Refusal{sound.error(), ""});
  const Result<Secret> id_token = id_token_();
  if (!id_token) co_return std::unexpected(Refusal{id_token.error(), ""});
  Terms exchange;
  exchange.server.issuer = provider_.issuer;
  exchange.server.token_endpoint = provider_.token_endpoint;
  exchange.resource = terms.resource;
  Form form;
  form.add("grant_type", kTokenExchange);
  form.add("requested_token_type", kIdJag);
  form.add("audience", terms.server.issuer);
  form.add_secret("subject_token", *id_token);
  form.add("subject_token_type", kIdToken);
  form.add_unless_empty("scope", join_scopes(terms.scopes));
  const DocumentResult given =
      co_await endpoint_.post(exchange, provider_.account, std::move(form));
  if (!given) co_return std::unexpected(given.error());
  const std::string_view jwt = given->find_string("access_token").value_or("");
  if (given->find_string("issued_token_type") != kIdJag || jwt.empty() ||
      jwt.size() > kTokenBytesMax) {
    co_return std::unexpected(
        Refusal{Error{ErrorKind::invalid, "the identity provider gave no identity assertion"}, ""});
  }
  co_return Secret(jwt);
}

Task<TokenResult> AssertionGrant::obtain(const Terms& terms) {
  const auto ours = check_issuer(account_, terms.server);
  if (!ours) co_return std::unexpected(Refusal{ours.error(), ""});
  const auto assertion = co_await source_.assertion(terms);
  if (!assertion) co_return std::unexpected(assertion.error());
  Form form;
  form.add("grant_type", kJwtBearer);
  form.add_secret("assertion", *assertion);
  form.add_unless_empty("scope", join_scopes(terms.scopes));
  TokenResult token = co_await endpoint_.request(terms, account_.account, std::move(form));
  co_return token;
}

bool AssertionGrant::knows(const std::string& issuer) const { return account_.issuer == issuer; }

}  // namespace squall::auth
