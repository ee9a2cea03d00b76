#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "squall/auth/token.h"
#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file What is kept between runs: the clients we registered, and the tokens we were given.

namespace squall::auth {

/// A client that registered itself at an issuer. Never shown to another one.
struct StoredClient {
  std::string id;
  Secret secret;
  std::optional<ClientAuth> method;
  std::string redirect_uri;         ///< the one it registered
  std::optional<WallTime> expires;  ///< of the secret
};

/// A token, with everything it is good for: its issuer alone may renew it.
struct StoredToken {
  Token token;
  std::string issuer;
  std::string resource;
  Scopes requested;  ///< all scopes asked for so far
  Secret dpop_key;   ///< PEM, for a token that is bound to it
};

/// Keeps clients by issuer, and tokens by the MCP server they are for. Used on one thread.
class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual Result<std::optional<StoredClient>> client(const std::string& issuer) = 0;
  [[nodiscard]] virtual Result<std::optional<StoredToken>> token(const std::string& server) = 0;
  /// Nothing removes the entry.
  virtual Result<void> keep_client(const std::string& issuer,
                                   const std::optional<StoredClient>& client) = 0;
  virtual Result<void> keep_token(const std::string& server,
                                  const std::optional<StoredToken>& token) = 0;
};

class MemoryStore : public Store {
 public:
  Result<std::optional<StoredClient>> client(const std::string& issuer) override;
  Result<std::optional<StoredToken>> token(const std::string& server) override;
  Result<void> keep_client(const std::string& issuer,
                           const std::optional<StoredClient>& client) override;
  Result<void> keep_token(const std::string& server,
                          const std::optional<StoredToken>& token) override;

 private:
  std::map<std::string, StoredClient> clients_;
  std::map<std::string, StoredToken> tokens_;
};

/// A JSON file that only its owner may read (0600, in a folder of 0700), replaced as a whole by
/// each change: whoever reads it sees the old or the new one. It is read again for each question,
/// so several processes may share it; of two that change it at once, the later wins. A file that
/// others may read is refused, and so is one that isn't ours or has a version that we don't know.
class FileStore : public Store {
 public:
  explicit FileStore(std::filesystem::path file) : file_(std::move(file)) {}
  Result<std::optional<StoredClient>> client(const std::string& issuer) override;
  Result<std::optional<StoredToken>> token(const std::string& server) override;
  Result<void> keep_client(const std::string& issuer,
                           const std::optional<StoredClient>& client) override;
  Result<void> keep_token(const std::string& server,
                          const std::optional<StoredToken>& token) override;

  static constexpr std::size_t kBytesMax = 8 << 20;

 private:
  Result<json::Value> read() const;
  Result<void> keep(std::string_view kind, const std::string& name,
                    std::optional<json::Value> entry);
  std::filesystem::path file_;
};

/// Their form in the file.
[[nodiscard]] json::Value to_json(const StoredClient& client);
[[nodiscard]] json::Value to_json(const StoredToken& token);
[[nodiscard]] Result<StoredClient> client_from_json(const json::Value& value);
[[nodiscard]] Result<StoredToken> token_from_json(const json::Value& value);

}  // namespace squall::auth
