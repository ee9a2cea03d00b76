#pragma once

#include <optional>
#include <string>

#include "squall/auth/fetch.h"
#include "squall/auth/metadata.h"

namespace squall::auth {

/// Finds out whom to ask for access to one MCP server.
class Discovery {
 public:
  /// `fetch` outlives it.
  Discovery(Fetch& fetch, std::string server_url)
      : fetch_(fetch), server_url_(std::move(server_url)), reach_(reach_of(server_url_)) {}

  /// The server's metadata: from `named` when its challenge named a place, else from the well-known
  /// ones. Nothing when it publishes none, as servers of 2025-03-26 do.
  Task<Result<std::optional<ResourceMetadata>>> find_resource(const std::string& named);

  /// The metadata of `issuer`. With `assume`, a server that publishes none has the endpoints that
  /// 2025-03-26 assumes.
  Task<Result<ServerMetadata>> find_server(const std::string& issuer, bool assume);

 private:
  /// The document at `url`; nothing when there is none.
  Task<Result<std::optional<std::string>>> get(const std::string& url);

  Fetch& fetch_;
  std::string server_url_;
  Reach reach_;
};

}  // namespace squall::auth
