#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"

/// @file TLS over any ByteStream, as a server and as a client. OpenSSL is touched once a context is
/// loaded, and not before.

namespace squall::transport {

/// Whom a TLS client trusts. With neither file nor directory: the certificate authorities of the
/// system, looked for where Debian, Fedora and Alpine keep them.
struct TlsTrust {
  std::string ca_file{};       ///< PEM; these authorities and no others
  std::string ca_directory{};  ///< of PEM files under their OpenSSL hashes
  /// Nobody is asked who they are: encrypted, but perhaps to the wrong one.
  bool accept_any_certificate = false;

  /// As OpenSSL reads it: SSL_CERT_FILE and SSL_CERT_DIR.
  [[nodiscard]] static TlsTrust from_environment(
      const std::map<std::string, std::string, std::less<>>& environment);
  bool operator==(const TlsTrust&) const = default;
};

/// One side's keys and rules: TLS 1.2 and 1.3, no renegotiation, ALPN "http/1.1". Immutable, so any
/// number of loops may share one.
class TlsContext {
 public:
  /// A server's certificate and its key. Reads PEM files: the certificate with its chain behind it,
  /// and its key, not encrypted. Errors name the file. Clients show no certificates.
  [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> load(
      const std::string& certificate_file, const std::string& key_file);
  /// For clients. Fails when a file named can't be used or the system has no authorities at all.
  [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> for_client(const TlsTrust& trust);

  virtual ~TlsContext() = default;
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 protected:
  TlsContext() = default;
};

/// The plain side of a TLS connection whose encrypted side is `stream`.
///
/// The peer has `handshake_within` to shake hands, or the stream ends as `reset`; so it does when
/// the peer breaks the protocol, keeps us busy with records that carry nothing, or ends the
/// connection without saying so (a cut is no end). `finish` says so from our side. `pending` counts
/// plain bytes, in steps of at most 16 KiB.
[[nodiscard]] std::unique_ptr<runtime::ByteStream> make_tls_stream(
    runtime::Loop& loop, std::unique_ptr<runtime::ByteStream> stream,
    std::shared_ptr<const TlsContext> context, std::chrono::milliseconds handshake_within);

class TlsClientStream : public runtime::ByteStream {
 public:
  /// Why hands weren't shaken, for a person; "" as long as nothing is wrong with that.
  [[nodiscard]] virtual const std::string& failure() const = 0;
};

/// The same as a client that wants to speak to `host`, a name or an address: the certificate must
/// be for it (its subject alternative names say so; a common name doesn't count), in its time, and
/// from an authority that `context` trusts. Revocation isn't looked up. Shakes hands from `start`
/// on; what is sent before that is done waits, and is counted by `pending`.
[[nodiscard]] std::unique_ptr<TlsClientStream> make_tls_client_stream(
    runtime::Loop& loop, std::unique_ptr<runtime::ByteStream> stream,
    std::shared_ptr<const TlsContext> context, std::string host,
    std::chrono::milliseconds handshake_within);

}  // namespace squall::transport
