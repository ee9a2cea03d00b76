#include "squall/auth/registration.h"

#include <algorithm>
#include <array>
#include <utility>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::auth {

namespace {

/// How we would like to authenticate: as what we are, a client that keeps no secret well.
ClientAuth wanted_auth(const ServerMetadata& server) {
  if (!server.token_auth_methods) return ClientAuth::client_secret_basic;  // RFC 8414's default
  const auto& taken = *server.token_auth_methods;
  for (const ClientAuth method :
       {ClientAuth::none, ClientAuth::client_secret_basic, ClientAuth::client_secret_post}) {
    if (std::find(taken.begin(), taken.end(), name_of(method)) != taken.end()) return method;
  }
  return ClientAuth::none;
}

Error refused(const FetchResponse& response) {
  std::string message =
      "the registration was answered with status " + std::to_string(response.status);
  const auto document = json::parse(response.body);
  const std::string_view code =
      document ? document->find_string("error").value_or("") : std::string_view();
  if (!code.empty()) message += ": " + base::show_name(code, 100);
  const ErrorKind kind = response.status >= 500 ? ErrorKind::unavailable : ErrorKind::invalid;
  return {kind, std::move(message)};
}

}  // namespace

std::string registration_request(std::string_view client_name, const std::string& redirect_uri,
                                 const ServerMetadata& server) {
  return json::to_string(json::Value::object(
      {{"client_name", client_name},
       {"application_type", "native"},
       {"redirect_uris", json::Value::array({redirect_uri})},
       {"grant_types", json::Value::array({"authorization_code", "refresh_token"})},
       {"response_types", json::Value::array({"code"})},
       {"token_endpoint_auth_method", name_of(wanted_auth(server))}}));
}

Result<StoredClient> parse_registration(const FetchResponse& response,
                                        const std::string& redirect_uri) {
  if (response.status != 201 && response.status != 200) return std::unexpected(refused(response));
  json::ParseOptions options;
  options.limits = {.bytes = kDocumentBytesMax, .depth = 32, .values = 16'384};
  const auto document = json::parse(response.body, options);
  if (!document) return fail(ErrorKind::invalid, "the registration's answer is no JSON");
  StoredClient client;
  client.id = std::string(document->find_string("client_id").value_or(""));
  const std::string_view secret = document->find_string("client_secret").value_or("");
  if (client.id.empty() || client.id.size() > kDocumentTextMax ||
      secret.size() > kDocumentTextMax) {
    return fail(ErrorKind::invalid, "the registration's answer has no sound client_id");
  }
  client.secret = Secret(secret);
  client.redirect_uri = redirect_uri;
  const auto method = document->find_string("token_endpoint_auth_method");
  if (method) client.method = client_auth_from(*method);
  if (method && !client.method) {
    return fail(ErrorKind::invalid, "the registration wants an authentication we don't have: " +
                                        base::show_name(*method, 100));
  }
  const json::Value* expires = document->find("client_secret_expires_at");
  const auto seconds = expires == nullptr ? std::nullopt : expires->as_int64();
  constexpr std::int64_t kSecondsMax = 5'000'000'000;  // the year 2128
  if (seconds && *seconds > 0) {
    client.expires = WallTime(std::chrono::seconds(std::min(*seconds, kSecondsMax)));
  }
  return client;
}

}  // namespace squall::auth
