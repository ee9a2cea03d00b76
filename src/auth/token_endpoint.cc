#include "squall/auth/token_endpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "squall/base/text.h"
#include "squall/json/parse.h"

namespace squall::auth {

namespace {

constexpr std::chrono::minutes kAssertionLife{5};
constexpr std::chrono::seconds kLifetimeMax = std::chrono::hours(24 * 366 * 10);
constexpr std::string_view kAssertionType =
    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

bool can_use(const Account& account, ClientAuth method) {
  switch (method) {
    case ClientAuth::none:
      return true;
    case ClientAuth::client_secret_basic:
    case ClientAuth::client_secret_post:
      return !account.secret.empty();
    case ClientAuth::private_key_jwt:
      return account.key != nullptr;
  }
  return false;
}

std::string client_assertion(const Account& account, const std::string& issuer, WallTime now) {
  json::Value header = json::Value::object({{"typ", "JWT"}});
  if (!account.key_id.empty()) header.set("kid", account.key_id);
  const auto seconds = [](WallTime time) {
    return std::int64_t{
        std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count()};
  };
  return account.key->sign(header, json::Value::object({{"iss", account.id},
                                                        {"sub", account.id},
                                                        {"aud", issuer},
                                                        {"jti", random_text()},
                                                        {"iat", seconds(now)},
                                                        {"exp", seconds(now + kAssertionLife)}}));
}

void authenticate(const Account& account, ClientAuth method, const std::string& issuer,
                  WallTime now, FetchRequest& request, Form& form) {
  if (method == ClientAuth::client_secret_basic) {
    // RFC 6749 section 2.3.1: both are form-encoded first.
    const Secret pair(percent_encode(account.id) + ":" + percent_encode(account.secret.reveal()));
    request.headers.emplace_back("Authorization", "Basic " + base::base64_encode(pair.reveal()));
    return;
  }
  form.add("client_id", account.id);
  if (method == ClientAuth::client_secret_post) form.add_secret("client_secret", account.secret);
  if (method == ClientAuth::private_key_jwt) {
    form.add("client_assertion_type", kAssertionType);
    form.add_secret("client_assertion", Secret(client_assertion(account, issuer, now)));
  }
}

/// RFC 6749 section 5.2: printable ASCII but quote and backslash.
bool is_code(std::string_view text) {
  return !text.empty() && text.size() <= 100 && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
}

bool is_wire_token(std::string_view text) {
  return !text.empty() && text.size() <= kTokenBytesMax &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

Refusal unsound(const std::string& message) {
  return {{ErrorKind::invalid, "the token endpoint's answer " + message}, ""};
}

std::optional<json::Value> parse_body(const std::string& body) {
  json::ParseOptions options;
  options.limits = {.bytes = kDocumentBytesMax, .depth = 32, .values = 16'384};
  auto document = json::parse(body, options);
  if (!document || !document->is_object()) return std::nullopt;
  return *std::move(document);
}

Refusal refusal_of(const FetchResponse& response, const Form& form) {
  const ErrorKind kind = response.status >= 500 ? ErrorKind::unavailable : ErrorKind::invalid;
  const auto document = parse_body(response.body);
  const std::string_view code =
      document ? document->find_string("error").value_or("") : std::string_view();
  if (!is_code(code) || form.leaks_into(code)) {
    return {{kind, "the token endpoint answered with status " + std::to_string(response.status)},
            ""};
  }
  std::string message = "the authorization server refused: " + std::string(code);
  const std::string_view description = document->find_string("error_description").value_or("");
  if (!description.empty() && !form.leaks_into(description)) {
    message += " (" + base::show_name(description) + ")";
  }
  return {{kind, std::move(message)}, std::string(code)};
}

/// Seconds as a number, or as text where servers are careless.
std::optional<std::chrono::seconds> read_lifetime(const json::Value& document) {
  const json::Value* member = document.find("expires_in");
  if (member == nullptr) return std::nullopt;
  double seconds = -1;
  if (const auto number = member->as_double()) {
    seconds = *number;
  } else if (const auto text = member->as_string()) {
    std::from_chars(text->data(), text->data() + text->size(), seconds);
  }
  if (!(seconds >= 0)) return std::nullopt;
  const double most = static_cast<double>(kLifetimeMax.count());
  return std::chrono::seconds(static_cast<std::int64_t>(std::min(seconds, most)));
}

DocumentResult granted(const FetchResponse& response, const Form& form) {
  if (response.status != 200) return std::unexpected(refusal_of(response, form));
  auto document = parse_body(response.body);
  if (!document) return std::unexpected(unsound("is no JSON object"));
  // Some servers report errors with status 200.
  if (document->contains("error")) return std::unexpected(refusal_of(response, form));
  return *std::move(document);
}

TokenResult token_of(const json::Value& document, WallTime now) {
  Token token;
  const std::string_view access_token = document.find_string("access_token").value_or("");
  if (!is_wire_token(access_token)) return std::unexpected(unsound("has no sound access_token"));
  token.access_token = Secret(access_token);
  const std::string_view type = document.find_string("token_type").value_or("");
  token.dpop = base::equals_ignoring_case(type, "DPoP");
  if (!token.dpop && !base::equals_ignoring_case(type, "Bearer")) {
    return std::unexpected(unsound("has an unknown token_type"));
  }
  const std::string_view refresh_token = document.find_string("refresh_token").value_or("");
  if (refresh_token.size() <= kTokenBytesMax) token.refresh_token = Secret(refresh_token);
  if (const auto lifetime = read_lifetime(document)) token.expires = now + *lifetime;
  token.scopes = parse_scopes(document.find_string("scope").value_or(""));
  return token;
}

}  // namespace

Result<ClientAuth> choose_auth(const Account& account, const ServerMetadata& server) {
  if (account.method) {
    if (can_use(account, *account.method)) return *account.method;
    return fail(ErrorKind::invalid, "the client has nothing to authenticate with by " +
                                        std::string(name_of(*account.method)));
  }
  // RFC 8414: a server that names none takes client_secret_basic; public clients name themselves.
  using List = std::vector<std::string>;
  const List assumed{"client_secret_basic", "none"};
  const List& taken = server.token_auth_methods ? *server.token_auth_methods : assumed;
  constexpr std::array kBestFirst{ClientAuth::private_key_jwt, ClientAuth::client_secret_basic,
                                  ClientAuth::client_secret_post, ClientAuth::none};
  for (const ClientAuth method : kBestFirst) {
    const bool wanted = std::find(taken.begin(), taken.end(), name_of(method)) != taken.end();
    if (wanted && can_use(account, method)) return method;
  }
  return fail(ErrorKind::invalid,
              "the authorization server takes none of the client's ways to authenticate");
}

Task<Result<FetchResponse>> TokenEndpoint::send(const Terms& terms, const FetchRequest& request) {
  // A nonce may be asked for once; a server that asks again gets its refusal reported.
  for (bool again = false;; again = true) {
    FetchRequest sent = request;
    if (terms.dpop != nullptr) {
      const Secret none;
      sent.headers.emplace_back("DPoP",
                                terms.dpop->proof("POST", request.url, none, loop_.wall_time()));
    }
    Result<FetchResponse> response = co_await fetch_.fetch(std::move(sent));
    if (!response || terms.dpop == nullptr) co_return response;
    const bool news = terms.dpop->learn(request.url, response->headers);
    const bool asked = response->status >= 400 && response->body.contains("\"use_dpop_nonce\"");
    if (again || !news || !asked) co_return response;
  }
}

Task<DocumentResult> TokenEndpoint::post(const Terms& terms, const Account& account, Form form) {
  const auto method = choose_auth(account, terms.server);
  if (!method) co_return std::unexpected(Refusal{method.error(), ""});
  FetchRequest request("POST", terms.server.token_endpoint);
  request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  request.headers.emplace_back("Accept", "application/json");
  form.add_unless_empty("resource", terms.resource);
  authenticate(account, *method, terms.server.issuer, loop_.wall_time(), request, form);
  request.body = form.text();
  const Result<FetchResponse> response = co_await send(terms, request);
  if (!response) co_return std::unexpected(Refusal{response.error(), ""});
  co_return granted(*response, form);
}

Task<TokenResult> TokenEndpoint::request(const Terms& terms, const Account& account, Form form) {
  const DocumentResult document = co_await post(terms, account, std::move(form));
  if (!document) co_return std::unexpected(document.error());
  TokenResult token = token_of(*document, loop_.wall_time());
  if (!token) co_return token;
  if (token->dpop != (terms.dpop != nullptr)) {
    co_return std::unexpected(unsound("is a token of another kind than was asked for"));
  }
  token->client_id = account.id;
  co_return token;
}

}  // namespace squall::auth
