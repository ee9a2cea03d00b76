#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "squall/auth/secret.h"
#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file Signed tokens (RFC 7515, 7519): a private key, and what can be said about it.

namespace squall::auth {

/// A private key that signs by one algorithm: ES256 (P-256), RS256 (2,048 bits or more) or EdDSA
/// (Ed25519). Immutable.
class SigningKey {
 public:
  /// A fresh ES256 key.
  [[nodiscard]] static std::shared_ptr<const SigningKey> generate();
  /// From PEM, PKCS#8 or the older forms, not encrypted. The key's kind tells the algorithm.
  [[nodiscard]] static Result<std::shared_ptr<const SigningKey>> from_pem(const Secret& pem);

  virtual ~SigningKey() = default;
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;

  /// "ES256", "RS256" or "EdDSA".
  [[nodiscard]] virtual std::string_view algorithm() const = 0;
  /// The public half as a JSON Web Key, its members in the order of RFC 7638.
  [[nodiscard]] virtual const json::Value& public_jwk() const = 0;
  /// The private key as PKCS#8 PEM: for the store alone.
  [[nodiscard]] virtual Secret pem() const = 0;
  /// The JWT of these claims; `alg` is put in front of `header`.
  [[nodiscard]] virtual std::string sign(const json::Value& header,
                                         const json::Value& claims) const = 0;
  /// The key's fingerprint (RFC 7638, SHA-256).
  [[nodiscard]] std::string thumbprint() const;

 protected:
  SigningKey() = default;
};

/// 32 unpredictable bytes as base64url: verifiers, states, token ids.
[[nodiscard]] std::string random_text();
/// base64url of SHA-256: the S256 challenge of a verifier, the `ath` of a token.
[[nodiscard]] std::string sha256_text(std::string_view text);

}  // namespace squall::auth
