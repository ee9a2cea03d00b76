#include "tls_context.h"

#include <system_error>

#include <openssl/err.h>

namespace squall::transport {

namespace {

constexpr unsigned char kHttp11[] = "\x08http/1.1";

std::unexpected<Error> fail_for(std::string_view what, const std::string& file) {
  return fail(ErrorKind::invalid, std::string(what) + " '" + file + "': " + openssl_reason());
}

/// Nobody is there to type a password.
int no_password(char*, int, int, void*) { return 0; }

int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kHttp11, sizeof kHttp11 - 1, offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

void set_policy(SSL_CTX& context) {
  set_common_policy(context);
  SSL_CTX_set_options(&context, SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_verify(&context, SSL_VERIFY_NONE, nullptr);
  SSL_CTX_set_default_passwd_cb(&context, no_password);
  SSL_CTX_set_alpn_select_cb(&context, choose_protocol, nullptr);
}

}  // namespace

std::string openssl_reason() {
  const unsigned long code = ERR_peek_error();
  ERR_clear_error();
  // OpenSSL has no text for what the system said.
  if (ERR_SYSTEM_ERROR(code)) return std::generic_category().message(ERR_GET_REASON(code));
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "unknown reason" : reason;
}

void set_common_policy(SSL_CTX& context) {
  SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION);
  SSL_CTX_set_options(&context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(&context, SSL_MODE_RELEASE_BUFFERS);
  // Tickets let clients resume; a cache at a server would grow with their number.
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
}

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const std::string& certificate_file,
                                                           const std::string& key_file) {
  ERR_clear_error();
  SslContextPtr context(SSL_CTX_new(TLS_server_method()));
  if (!context) return fail(ErrorKind::internal, "TLS cannot start: " + openssl_reason());
  set_policy(*context);
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate_file.c_str()) != 1) {
    return fail_for("cannot use the certificate", certificate_file);
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    return fail_for("cannot use the key", key_file);
  }
  if (SSL_CTX_check_private_key(context.get()) != 1) {
    return fail_for("'" + certificate_file + "' is not the certificate of the key", key_file);
  }
  return std::make_shared<const OpenSslContext>(std::move(context));
}

SslPtr OpenSslContext::new_connection() const {
  SslPtr ssl(SSL_new(context_.get()));
  BIO* const in = BIO_new(BIO_s_mem());
  BIO* const out = BIO_new(BIO_s_mem());
  if (!ssl || in == nullptr || out == nullptr) {
    BIO_free(in);
    BIO_free(out);
    return nullptr;
  }
  SSL_set_bio(ssl.get(), in, out);  // takes both
  return ssl;
}

SslPtr OpenSslContext::new_server_connection() const {
  SslPtr ssl = new_connection();
  if (ssl) SSL_set_accept_state(ssl.get());
  return ssl;
}

}  // namespace squall::transport
