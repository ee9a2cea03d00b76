#include "squall/auth/metadata.h"

#include <utility>

#include "squall/json/parse.h"

namespace squall::auth {

namespace {

constexpr std::string_view kResourceWellKnown = "/.well-known/oauth-protected-resource";
constexpr std::string_view kServerWellKnown = "/.well-known/oauth-authorization-server";
constexpr std::string_view kOpenIdWellKnown = "/.well-known/openid-configuration";

Result<json::Value> parse_document(std::string_view text) {
  json::ParseOptions options;
  options.limits = {.bytes = kDocumentBytesMax, .depth = 32, .values = 16'384};
  SQUALL_TRY(json::Value document, json::parse(text, options));
  if (!document.is_object()) return fail(ErrorKind::invalid, "the metadata is no object");
  return document;
}

Error wrong(std::string_view name, std::string_view what) {
  return {ErrorKind::invalid, "the metadata's " + std::string(name) + " " + std::string(what)};
}

/// "" when the member is absent.
Result<std::string> read_text(const json::Value& document, std::string_view name) {
  const json::Value* member = document.find(name);
  if (member == nullptr || member->is_null()) return std::string();
  if (!member->is_string()) return std::unexpected(wrong(name, "is no string"));
  if (member->size() > kDocumentTextMax) {
    return fail(ErrorKind::limit, "the metadata's " + std::string(name) + " is too long");
  }
  return std::string(member->string());
}

Result<std::string> read_url(const json::Value& document, std::string_view name, Reach reach) {
  SQUALL_TRY(std::string url, read_text(document, name));
  if (!url.empty()) SQUALL_CHECK(check_url(url, reach, "the metadata's " + std::string(name)));
  return url;
}

Result<std::optional<std::vector<std::string>>> read_list(const json::Value& document,
                                                          std::string_view name) {
  using List = std::optional<std::vector<std::string>>;
  const json::Value* member = document.find(name);
  if (member == nullptr || member->is_null()) return List();
  if (!member->is_array()) return std::unexpected(wrong(name, "is no array"));
  if (member->size() > kDocumentListMax) {
    return fail(ErrorKind::limit, "the metadata's " + std::string(name) + " has too many entries");
  }
  std::vector<std::string> list;
  for (const json::Value& item : member->items()) {
    if (!item.is_string() || item.size() > kDocumentTextMax) {
      return std::unexpected(wrong(name, "holds something else than short strings"));
    }
    list.emplace_back(item.string());
  }
  return List(std::move(list));
}

bool read_flag(const json::Value& document, std::string_view name) {
  const json::Value* member = document.find(name);
  return member != nullptr && member->boolean();
}

Scopes read_scopes(const std::optional<std::vector<std::string>>& list) {
  return list ? parse_scopes(join_scopes(*list)) : Scopes();
}

/// RFC 8414 section 3.1: the well-known part stands between host and path.
Result<std::string> insert_well_known(std::string_view url, std::string_view well_known) {
  SQUALL_TRY(std::string origin, origin_of(url));
  SQUALL_TRY(std::string path, path_of(url));
  if (path.ends_with('/')) path.pop_back();
  return origin + std::string(well_known) + path;
}

Result<void> read_lists(const json::Value& document, ServerMetadata& metadata) {
  SQUALL_TRY(const auto scopes, read_list(document, "scopes_supported"));
  metadata.scopes_supported = read_scopes(scopes);
  SQUALL_TRY(auto methods, read_list(document, "code_challenge_methods_supported"));
  if (methods) metadata.code_challenge_methods = *std::move(methods);
  SQUALL_TRY(metadata.token_auth_methods,
             read_list(document, "token_endpoint_auth_methods_supported"));
  SQUALL_TRY(auto algorithms, read_list(document, "dpop_signing_alg_values_supported"));
  if (algorithms) metadata.dpop_algorithms = *std::move(algorithms);
  return {};
}

}  // namespace

Result<ResourceMetadata> parse_resource_metadata(std::string_view text,
                                                 std::string_view server_url) {
  SQUALL_TRY(const json::Value document, parse_document(text));
  const Reach reach = reach_of(server_url);
  ResourceMetadata metadata;
  SQUALL_TRY(metadata.resource, read_text(document, "resource"));
  if (!covers(metadata.resource, server_url)) {
    return std::unexpected(wrong("resource", "is not the server that was asked"));
  }
  SQUALL_TRY(auto servers, read_list(document, "authorization_servers"));
  if (!servers || servers->empty()) {
    return std::unexpected(wrong("authorization_servers", "names none"));
  }
  for (const std::string& server : *servers) {
    SQUALL_CHECK(check_url(server, reach, "an authorization server"));
    if (server.contains('?')) return fail(ErrorKind::invalid, "an issuer has no query");
  }
  metadata.authorization_servers = *std::move(servers);
  SQUALL_TRY(const auto scopes, read_list(document, "scopes_supported"));
  metadata.scopes_supported = read_scopes(scopes);
  metadata.dpop_required = read_flag(document, "dpop_bound_access_tokens_required");
  return metadata;
}

Result<ServerMetadata> parse_server_metadata(std::string_view text, std::string_view issuer,
                                             Reach reach) {
  SQUALL_TRY(const json::Value document, parse_document(text));
  ServerMetadata metadata;
  SQUALL_TRY(metadata.issuer, read_text(document, "issuer"));
  if (metadata.issuer != issuer) {
    return std::unexpected(wrong("issuer", "is not the one that was asked"));
  }
  SQUALL_TRY(metadata.authorization_endpoint, read_url(document, "authorization_endpoint", reach));
  SQUALL_TRY(metadata.token_endpoint, read_url(document, "token_endpoint", reach));
  SQUALL_TRY(metadata.registration_endpoint, read_url(document, "registration_endpoint", reach));
  if (metadata.token_endpoint.empty()) {
    return std::unexpected(wrong("token_endpoint", "is missing"));
  }
  SQUALL_CHECK(read_lists(document, metadata));
  metadata.sends_issuer = read_flag(document, "authorization_response_iss_parameter_supported");
  metadata.takes_metadata_documents = read_flag(document, "client_id_metadata_document_supported");
  return metadata;
}

Result<std::vector<std::string>> resource_metadata_urls(std::string_view server_url) {
  SQUALL_TRY(const std::string origin, origin_of(server_url));
  SQUALL_TRY(std::string first, insert_well_known(server_url, kResourceWellKnown));
  std::string root = origin + std::string(kResourceWellKnown);
  std::vector<std::string> urls{std::move(first)};
  if (urls.front() != root) urls.push_back(std::move(root));
  return urls;
}

Result<std::vector<std::string>> server_metadata_urls(std::string_view issuer) {
  SQUALL_TRY(const std::string origin, origin_of(issuer));
  SQUALL_TRY(std::string path, path_of(issuer));
  SQUALL_TRY(std::string oauth, insert_well_known(issuer, kServerWellKnown));
  SQUALL_TRY(std::string openid, insert_well_known(issuer, kOpenIdWellKnown));
  std::vector<std::string> urls{std::move(oauth), std::move(openid)};
  if (path.ends_with('/')) path.pop_back();
  if (!path.empty()) urls.push_back(origin + path + std::string(kOpenIdWellKnown));
  return urls;
}

Result<ServerMetadata> assumed_metadata(std::string_view server_url) {
  SQUALL_TRY(const std::string origin, origin_of(server_url));
  ServerMetadata metadata;
  metadata.issuer = origin;
  metadata.authorization_endpoint = origin + "/authorize";
  metadata.token_endpoint = origin + "/token";
  metadata.registration_endpoint = origin + "/register";
  metadata.code_challenge_methods = {"S256"};
  return metadata;
}

}  // namespace squall::auth
