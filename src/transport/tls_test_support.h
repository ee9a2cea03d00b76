#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

#include "squall/runtime/loop.h"

/// @file A certificate made on the spot, and a TLS client of whom a test sees every byte.

namespace squall::transport::test {

/// PEM files of a fresh self-signed certificate and its key, in a folder of their own that goes
/// with them.
class CertificateFiles {
 public:
  struct Options {
    std::string names = "DNS:localhost,IP:127.0.0.1";  ///< as OpenSSL writes them; "" is none
    long valid_from = -60;                             ///< in seconds from now
    long valid_until = 3600;
  };
  CertificateFiles() : CertificateFiles(Options{}) {}
  explicit CertificateFiles(const Options& options);
  ~CertificateFiles();
  CertificateFiles(const CertificateFiles&) = delete;
  CertificateFiles& operator=(const CertificateFiles&) = delete;

  /// A file beside the two.
  [[nodiscard]] std::string write(const std::string& name, std::string_view content) const;

  std::string folder;
  std::string certificate;
  std::string key;
};

/// The client side, over any stream. Speaks when told; keeps what it hears.
class TlsClient final : public runtime::ByteStream::Receiver {
 public:
  struct Options {
    int version_max = TLS1_3_VERSION;
    std::string alpn{};  ///< as on the wire: "\x08http/1.1"
  };
  explicit TlsClient(std::unique_ptr<runtime::ByteStream> its_stream) : TlsClient({}, its_stream) {}
  TlsClient(const Options& options, std::unique_ptr<runtime::ByteStream>& its_stream);
  ~TlsClient();

  /// Takes the next step of the handshake, and hands on what OpenSSL wants to send.
  void step();
  void send(std::string_view plain);
  void flush();
  /// What OpenSSL wants to send, taken from it.
  [[nodiscard]] std::string take_output();
  [[nodiscard]] bool ready() const { return SSL_is_init_finished(ssl) == 1; }

  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End how) override { end = how; }

  std::unique_ptr<runtime::ByteStream> stream;
  SSL_CTX* context = nullptr;
  SSL* ssl = nullptr;
  std::string received;
  bool goodbye = false;  ///< the server said that it ends
  bool failed = false;
  std::optional<runtime::End> end;
};

}  // namespace squall::transport::test
