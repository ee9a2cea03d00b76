#pragma once

#include <openssl/ssl.h>

#include "squall/transport/tls.h"

namespace squall::transport {

struct SslDeleter {
  void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using SslPtr = std::unique_ptr<SSL, SslDeleter>;
using SslContextPtr = std::unique_ptr<SSL_CTX, SslDeleter>;

/// Why OpenSSL failed, in its words; the first reason is the nearest to the cause.
[[nodiscard]] std::string openssl_reason();

/// What both sides want of a connection.
void set_common_policy(SSL_CTX& context);

/// What a TlsContext is. OpenSSL counts its users atomically, so `new_connection` may be called
/// from any thread.
class OpenSslContext final : public TlsContext {
 public:
  explicit OpenSslContext(SslContextPtr context) : context_(std::move(context)) {}
  /// The server's side of one connection, on memory; null when memory is short.
  [[nodiscard]] SslPtr new_server_connection() const;
  /// The side of a client that wants `host`.
  [[nodiscard]] SslPtr new_client_connection(const std::string& host) const;

 private:
  [[nodiscard]] SslPtr new_connection() const;

  SslContextPtr context_;
};

}  // namespace squall::transport
