#include <algorithm>
#include <array>
#include <filesystem>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "tls_context.h"

namespace squall::transport {

namespace {

/// As a list for ALPN: one protocol behind its length.
constexpr std::array<unsigned char, 9> kHttp11 = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

/// Files under their hashes, read one by one when needed: much faster than a bundle of all.
constexpr std::array<const char*, 2> kSystemDirectories = {
    "/etc/ssl/certs",  // Debian, SUSE
    "/etc/pki/tls/certs",
};
constexpr std::array<const char*, 4> kSystemBundles = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Alpine, Arch
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/ssl/cert.pem",
};
/// Entries looked at for one that is a hash.
constexpr int kDirectoryEntriesMax = 4096;

bool has_hashed_files(const char* directory) {
  std::error_code error;
  int looked_at = 0;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end && ++looked_at <= kDirectoryEntriesMax; entry.increment(error)) {
    if (entry->path().extension() == ".0") return true;
  }
  return false;
}

Result<void> trust_system(SSL_CTX& context) {
  for (const char* const directory : kSystemDirectories) {
    if (has_hashed_files(directory) && SSL_CTX_load_verify_dir(&context, directory) == 1) return {};
  }
  for (const char* const bundle : kSystemBundles) {
    if (SSL_CTX_load_verify_file(&context, bundle) == 1) return {};
  }
  ERR_clear_error();
  return fail(ErrorKind::not_found,
              "no certificate authorities were found in /etc/ssl or /etc/pki: install the package "
              "ca-certificates, or name a file of them");
}

Result<void> trust(SSL_CTX& context, const TlsTrust& trust) {
  if (trust.ca_file.empty() && trust.ca_directory.empty()) return trust_system(context);
  if (!trust.ca_file.empty() && SSL_CTX_load_verify_file(&context, trust.ca_file.c_str()) != 1) {
    return fail(ErrorKind::invalid, "cannot use the certificate authorities of '" + trust.ca_file +
                                        "': " + openssl_reason());
  }
  if (!trust.ca_directory.empty() &&
      SSL_CTX_load_verify_dir(&context, trust.ca_directory.c_str()) != 1) {
    return fail(ErrorKind::invalid, "cannot use the certificate authorities of '" +
                                        trust.ca_directory + "': " + openssl_reason());
  }
  return {};
}

/// "1.2.3.4" or "::1": whether it is an address, for which there is no server name indication.
bool is_address(const std::string& host) {
  ASN1_OCTET_STRING* const address = a2i_IPADDRESS(host.c_str());
  ASN1_OCTET_STRING_free(address);
  ERR_clear_error();
  return address != nullptr;
}

}  // namespace

TlsTrust TlsTrust::from_environment(
    const std::map<std::string, std::string, std::less<>>& environment) {
  TlsTrust trust;
  if (const auto found = environment.find("SSL_CERT_FILE"); found != environment.end()) {
    trust.ca_file = found->second;
  }
  if (const auto found = environment.find("SSL_CERT_DIR"); found != environment.end()) {
    trust.ca_directory = found->second;
  }
  return trust;
}

Result<std::shared_ptr<const TlsContext>> TlsContext::for_client(const TlsTrust& whom) {
  ERR_clear_error();
  SslContextPtr context(SSL_CTX_new(TLS_client_method()));
  if (!context) return fail(ErrorKind::internal, "TLS cannot start: " + openssl_reason());
  set_common_policy(*context);
  SSL_CTX_set_alpn_protos(context.get(), kHttp11.data(), kHttp11.size());
  if (whom.accept_any_certificate) {
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  } else {
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SQUALL_CHECK(trust(*context, whom));
  }
  return std::make_shared<const OpenSslContext>(std::move(context));
}

SslPtr OpenSslContext::new_client_connection(const std::string& host) const {
  SslPtr ssl = new_connection();
  if (!ssl) return nullptr;
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(ssl.get());
  X509_VERIFY_PARAM_set_hostflags(
      wanted, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const bool wanted_is_set =
      is_address(host) ? X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1
                       : X509_VERIFY_PARAM_set1_host(wanted, host.data(), host.size()) == 1 &&
                             SSL_set_tlsext_host_name(ssl.get(), host.c_str()) == 1;
  if (!wanted_is_set) return nullptr;
  SSL_set_connect_state(ssl.get());
  return ssl;
}

}  // namespace squall::transport
