#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "squall/auth/fetch.h"
#include "squall/auth/signing_key.h"

namespace squall::auth {

/// Proofs that we hold the key a token is bound to (RFC 9449), and the nonces servers want in them.
class Dpop {
 public:
  explicit Dpop(std::shared_ptr<const SigningKey> key = SigningKey::generate())
      : key_(std::move(key)) {}

  /// A proof for one request, never the same twice. `access_token` is empty at a token endpoint.
  [[nodiscard]] std::string proof(std::string_view method, std::string_view url,
                                  const Secret& access_token,
                                  std::chrono::system_clock::time_point now) const;
  /// Takes the nonce of an answer from `url`, if there is one; whether it is news.
  bool learn(std::string_view url, const Headers& headers);
  [[nodiscard]] const SigningKey& key() const { return *key_; }

  static constexpr std::size_t kOriginsMax = 16;      ///< of whose nonces we keep the last
  static constexpr std::size_t kNonceBytesMax = 512;  ///< longer ones are not taken

 private:
  std::shared_ptr<const SigningKey> key_;
  std::deque<std::pair<std::string, std::string>> nonces_;  // by origin, oldest first
};

}  // namespace squall::auth
