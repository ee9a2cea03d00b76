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

/// What a TlsContext is. OpenSSL counts its users atomically, so `new_connection` may be called
/// from any thread.
class OpenSslContext final : public TlsContext {
 public:
  explicit OpenSslContext(SslContextPtr context) : context_(std::move(context)) {}
  /// The server side of one connection, on memory; null when memory is short.
  [[nodiscard]] SslPtr new_connection() const;

 private:
  SslContextPtr context_;
};

}  // namespace squall::transport
