#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// @file What Squall needs of cryptography; OpenSSL underneath, but for the digest.

namespace squall::base {

using Sha256 = std::array<unsigned char, 32>;
/// Takes the processor's own instructions where it has them; fast on short texts.
[[nodiscard]] Sha256 sha256(std::string_view bytes);
/// The same in plain C++, as it is done on processors without such instructions.
[[nodiscard]] Sha256 sha256_portably(std::string_view bytes);

/// Fills `out` with unpredictable bytes from the operating system.
void random_bytes(std::span<unsigned char> out);
/// A random version 4 UUID in its 36-character text form (RFC 9562).
[[nodiscard]] std::string random_uuid();

/// Authenticated encryption of small texts under one process-wide key (AES-256-GCM).
///
/// `seal` gives base64url text that reveals nothing and that `open` takes back only unchanged and
/// with the same `context`. Safe to share between threads.
class Sealer {
 public:
  using Key = std::array<unsigned char, 32>;
  Sealer();  ///< a fresh random key
  explicit Sealer(const Key& key) : key_(key) {}
  [[nodiscard]] std::string seal(std::string_view plain, std::string_view context) const;
  [[nodiscard]] std::optional<std::string> open(std::string_view sealed,
                                                std::string_view context) const;

 private:
  Key key_;
};

}  // namespace squall::base
