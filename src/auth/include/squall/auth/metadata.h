#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/auth/address.h"
#include "squall/auth/form.h"
#include "squall/base/result.h"

/// @file The documents by which a protected server names its authorization servers, and these their
/// endpoints. All of it comes from outside: lists, texts and the documents have limits, and every
/// URL is checked against the reach of whoever named it.

namespace squall::auth {

inline constexpr std::size_t kDocumentBytesMax = 256 << 10;
inline constexpr std::size_t kDocumentListMax = 256;
inline constexpr std::size_t kDocumentTextMax = 4 << 10;

/// Protected resource metadata (RFC 9728).
struct ResourceMetadata {
  std::string resource;  ///< as published: requests carry it unchanged
  std::vector<std::string> authorization_servers;
  Scopes scopes_supported;
  bool dpop_required = false;
};

/// Authorization server metadata (RFC 8414, OpenID Connect discovery).
struct ServerMetadata {
  std::string issuer;
  std::string authorization_endpoint;  ///< "" when there is none
  std::string token_endpoint;
  std::string registration_endpoint;  ///< "" when there is none
  Scopes scopes_supported;
  std::vector<std::string> code_challenge_methods;
  std::optional<std::vector<std::string>> token_auth_methods;
  std::vector<std::string> dpop_algorithms;
  bool sends_issuer = false;              ///< `iss` in authorization responses (RFC 9207)
  bool takes_metadata_documents = false;  ///< a URL as client id
};

/// `server_url` is the MCP server whose document this is; the resource must cover it.
[[nodiscard]] Result<ResourceMetadata> parse_resource_metadata(std::string_view text,
                                                               std::string_view server_url);
/// The document's issuer must be `issuer`, character by character.
[[nodiscard]] Result<ServerMetadata> parse_server_metadata(std::string_view text,
                                                           std::string_view issuer, Reach reach);

/// Where a server's metadata may lie, in the order to try (MCP, "discovery").
[[nodiscard]] Result<std::vector<std::string>> resource_metadata_urls(std::string_view server_url);
[[nodiscard]] Result<std::vector<std::string>> server_metadata_urls(std::string_view issuer);

/// What 2025-03-26 assumes of a server that publishes no metadata at all: /authorize, /token and
/// /register beside it.
[[nodiscard]] Result<ServerMetadata> assumed_metadata(std::string_view server_url);

}  // namespace squall::auth
