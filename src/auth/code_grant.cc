#include <algorithm>
#include <utility>

#include "squall/auth/grant.h"
#include "squall/auth/registration.h"

#include "code_answer.h"

namespace squall::auth {

namespace {

Refusal refusal(Error error) { return {std::move(error), ""}; }

Result<void> check_server(const ServerMetadata& server) {
  if (server.authorization_endpoint.empty()) {
    return fail(ErrorKind::invalid, "the authorization server has no authorization endpoint");
  }
  const auto& methods = server.code_challenge_methods;
  if (std::find(methods.begin(), methods.end(), "S256") == methods.end()) {
    return fail(ErrorKind::invalid,
                "the authorization server does not say that it checks PKCE (S256)");
  }
  return {};
}

std::string authorization_url(const Terms& terms, const std::string& client_id,
                              const std::string& redirect_uri, const Secret& state,
                              const Secret& verifier) {
  Form form;
  form.add("response_type", "code").add("client_id", client_id);
  form.add("redirect_uri", redirect_uri).add("state", state.reveal());
  form.add("code_challenge", sha256_text(verifier.reveal())).add("code_challenge_method", "S256");
  form.add_unless_empty("scope", join_scopes(terms.scopes));
  form.add_unless_empty("resource", terms.resource);
  // OpenID Connect gives offline access only to a person who was asked.
  if (contains(terms.scopes, "offline_access")) form.add("prompt", "consent");
  if (terms.dpop != nullptr) form.add("dpop_jkt", terms.dpop->key().thumbprint());
  const std::string& endpoint = terms.server.authorization_endpoint;
  return endpoint + (endpoint.contains('?') ? "&" : "?") + form.text();
}

Account account_of(const StoredClient& client) {
  Account account;
  account.id = client.id;
  account.secret = client.secret;
  account.method = client.method;
  return account;
}

}  // namespace

CodeGrant::CodeGrant(runtime::Loop& loop, Fetch& fetch, Store& store, Redirector& redirector,
                     CodeGrantOptions options)
    : loop_(loop),
      fetch_(fetch),
      store_(store),
      redirector_(redirector),
      options_(std::move(options)),
      endpoint_(loop, fetch) {}

bool CodeGrant::knows(const std::string& issuer) const {
  return std::any_of(options_.accounts.begin(), options_.accounts.end(),
                     [&](const KnownAccount& known) { return known.issuer == issuer; });
}

Task<TokenResult> CodeGrant::obtain(const Terms& terms) {
  const Result<void> sound = check_server(terms.server);
  if (!sound) co_return std::unexpected(refusal(sound.error()));
  const Result<std::string> earlier = earlier_redirect(terms.server.issuer);
  if (!earlier) co_return std::unexpected(refusal(earlier.error()));
  const Result<std::string> redirect_uri = redirector_.open(*earlier);
  if (!redirect_uri) co_return std::unexpected(refusal(redirect_uri.error()));
  const Result<Account> account = co_await identify(terms, *redirect_uri);
  if (!account) co_return std::unexpected(refusal(account.error()));

  const Secret state(random_text());
  const Secret verifier(random_text());
  const std::string url = authorization_url(terms, account->id, *redirect_uri, state, verifier);
  const Result<std::string> answer = co_await redirector_.visit(url, state);
  if (!answer) co_return std::unexpected(refusal(answer.error()));
  const auto code = read_answer(*answer, state, terms.server);
  if (!code) co_return std::unexpected(code.error());

  Form form;
  form.add("grant_type", "authorization_code").add_secret("code", *code);
  form.add("redirect_uri", *redirect_uri).add_secret("code_verifier", verifier);
  TokenResult token = co_await endpoint_.request(terms, *account, std::move(form));
  if (!token && token.error().code == "invalid_client") {
    // The server has forgotten what it registered; the next attempt registers again.
    const auto forgotten = store_.keep_client(terms.server.issuer, std::nullopt);
    if (!forgotten) co_return std::unexpected(refusal(forgotten.error()));
  }
  co_return token;
}

Task<TokenResult> CodeGrant::renew(const Terms& terms, const Token& old) {
  const Result<std::optional<Account>> account = known_account(terms.server, "");
  if (!account) co_return std::unexpected(refusal(account.error()));
  const bool same = *account && (*account)->id == old.client_id;
  if (!same || old.refresh_token.empty()) {
    co_return std::unexpected(
        Refusal{Error{ErrorKind::invalid, "the token cannot be refreshed"}, "invalid_grant"});
  }
  Form form;
  form.add("grant_type", "refresh_token").add_secret("refresh_token", old.refresh_token);
  form.add_unless_empty("scope", join_scopes(old.scopes));
  TokenResult token = co_await endpoint_.request(terms, **account, std::move(form));
  if (token && token->refresh_token.empty()) token->refresh_token = old.refresh_token;
  if (token && token->scopes.empty()) token->scopes = old.scopes;
  co_return token;
}

Result<std::string> CodeGrant::earlier_redirect(const std::string& issuer) {
  SQUALL_TRY(const std::optional<StoredClient> client, store_.client(issuer));
  return client ? client->redirect_uri : options_.redirect_uri;
}

Result<std::optional<Account>> CodeGrant::known_account(const ServerMetadata& server,
                                                        const std::string& redirect_uri) {
  for (const KnownAccount& known : options_.accounts) {
    if (known.issuer.empty() || known.issuer == server.issuer) return known.account;
  }
  SQUALL_TRY(const std::optional<StoredClient> client, store_.client(server.issuer));
  if (client) {
    // A registration holds for the redirect it was made with, and as long as its secret.
    const bool fits = redirect_uri.empty() || redirect_uri == client->redirect_uri;
    if (fits && (!client->expires || *client->expires > loop_.wall_time())) {
      return account_of(*client);
    }
  }
  if (server.takes_metadata_documents && !options_.metadata_document.empty()) {
    Account account;
    account.id = options_.metadata_document;
    account.method = ClientAuth::none;
    return account;
  }
  return std::optional<Account>();
}

Task<Result<Account>> CodeGrant::identify(const Terms& terms, const std::string& redirect_uri) {
  const Result<std::optional<Account>> known = known_account(terms.server, redirect_uri);
  if (!known) co_return std::unexpected(known.error());
  if (*known) co_return **known;
  Result<Account> account = co_await enrol(terms, redirect_uri);
  co_return account;
}

Task<Result<Account>> CodeGrant::enrol(const Terms& terms, const std::string& redirect_uri) {
  if (terms.server.registration_endpoint.empty()) {
    co_return fail(ErrorKind::invalid, "the authorization server " + terms.server.issuer +
                                           " registers no clients: it needs a client id that was "
                                           "set up by hand");
  }
  FetchRequest request("POST", terms.server.registration_endpoint);
  request.headers.emplace_back("Content-Type", "application/json");
  request.headers.emplace_back("Accept", "application/json");
  request.body = registration_request(options_.client_name, redirect_uri, terms.server);
  const Result<FetchResponse> response = co_await fetch_.fetch(std::move(request));
  if (!response) co_return std::unexpected(response.error());
  const Result<StoredClient> client = parse_registration(*response, redirect_uri);
  if (!client) co_return std::unexpected(client.error());
  const Result<void> kept = store_.keep_client(terms.server.issuer, *client);
  if (!kept) co_return std::unexpected(kept.error());
  co_return account_of(*client);
}

}  // namespace squall::auth
