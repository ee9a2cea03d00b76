#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"

/// @file TLS as a server, over any ByteStream. OpenSSL is touched once a context is loaded, and not
/// before.

namespace squall::transport {

/// A certificate and its key, ready to serve: TLS 1.2 and 1.3, no renegotiation, no client
/// certificates, ALPN "http/1.1". Immutable, so any number of loops may share one.
class TlsContext {
 public:
  /// Reads PEM files: the certificate with its chain behind it, and its key, not encrypted. Errors
  /// name the file.
  [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> load(
      const std::string& certificate_file, const std::string& key_file);

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

}  // namespace squall::transport
