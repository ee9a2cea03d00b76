#include "tls_test_support.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace squall::transport::test {

namespace {

void write_pem(EVP_PKEY* key, X509* certificate, const CertificateFiles& files) {
  std::FILE* file = std::fopen(files.certificate.c_str(), "w");
  PEM_write_X509(file, certificate);
  std::fclose(file);
  file = std::fopen(files.key.c_str(), "w");
  PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
}

}  // namespace

CertificateFiles::CertificateFiles(const Options& options) {
  std::string name = std::filesystem::temp_directory_path() / "squall-tls-XXXXXX";
  folder = mkdtemp(name.data());
  certificate = folder + "/certificate.pem";
  key = folder + "/key.pem";
  EVP_PKEY* const pair = EVP_EC_gen("P-256");
  X509* const x509 = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), options.valid_from);
  X509_gmtime_adj(X509_getm_notAfter(x509), options.valid_until);
  X509_set_pubkey(x509, pair);
  X509_NAME* const subject = X509_get_subject_name(x509);
  const std::string host = "localhost";
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(host.data()), -1, -1, 0);
  X509_set_issuer_name(x509, subject);
  X509_set_version(x509, 2);
  if (!options.names.empty()) {
    X509_EXTENSION* const names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, options.names.c_str());
    X509_add_ext(x509, names, -1);
    X509_EXTENSION_free(names);
  }
  X509_sign(x509, pair, EVP_sha256());
  write_pem(pair, x509, *this);
  X509_free(x509);
  EVP_PKEY_free(pair);
}

CertificateFiles::~CertificateFiles() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

std::string CertificateFiles::write(const std::string& name, std::string_view content) const {
  std::string path = folder + "/" + name;
  std::ofstream(path) << content;
  return path;
}

TlsClient::TlsClient(const Options& options, std::unique_ptr<runtime::ByteStream>& its_stream)
    : stream(std::move(its_stream)) {
  context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_security_level(context, 0);  // so that it may ask for what is too old
  SSL_CTX_set_max_proto_version(context, options.version_max);
  SSL_CTX_set_min_proto_version(context, 0);
  SSL_CTX_set_options(context, SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
  ssl = SSL_new(context);
  if (!options.alpn.empty()) {
    SSL_set_alpn_protos(ssl, reinterpret_cast<const unsigned char*>(options.alpn.data()),
                        static_cast<unsigned>(options.alpn.size()));
  }
  SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(ssl);
  stream->start(*this);
}

TlsClient::~TlsClient() {
  SSL_free(ssl);
  SSL_CTX_free(context);
}

void TlsClient::step() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl);
  if (result != 1 && SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ) failed = true;
  flush();
}

void TlsClient::send(std::string_view plain) {
  SSL_write(ssl, plain.data(), static_cast<int>(plain.size()));
  flush();
}

std::string TlsClient::take_output() {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(SSL_get_wbio(ssl), &bytes);
  std::string out(bytes, static_cast<std::size_t>(size > 0 ? size : 0));
  static_cast<void>(BIO_reset(SSL_get_wbio(ssl)));
  return out;
}

void TlsClient::flush() {
  if (const std::string out = take_output(); !out.empty()) stream->send(out);
}

void TlsClient::on_bytes(std::string_view bytes) {
  BIO_write(SSL_get_rbio(ssl), bytes.data(), static_cast<int>(bytes.size()));
  if (!ready()) step();
  if (!ready()) return;
  std::array<char, 4096> plain;
  while (true) {
    ERR_clear_error();
    const int count = SSL_read(ssl, plain.data(), static_cast<int>(plain.size()));
    if (count <= 0) {
      const int error = SSL_get_error(ssl, count);
      if (error == SSL_ERROR_ZERO_RETURN) goodbye = true;
      if (error == SSL_ERROR_SSL) failed = true;
      break;
    }
    received.append(plain.data(), static_cast<std::size_t>(count));
  }
  flush();
}

}  // namespace squall::transport::test
