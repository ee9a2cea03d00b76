#include "squall/auth/signing_key.h"

#include <array>
#include <cstring>
#include <utility>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "squall/base/assert.h"
#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/json/write.h"

namespace squall::auth {

namespace {

constexpr int kRsaBitsMin = 2048;
constexpr int kEcdsaHalfBytes = 32;
constexpr std::size_t kPemBytesMax = 64 << 10;

template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, Freer<&EVP_PKEY_free>>;
using NumberPointer = std::unique_ptr<BIGNUM, Freer<&BN_free>>;
using BioPointer = std::unique_ptr<BIO, Freer<&BIO_free_all>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freer<&EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Freer<&ECDSA_SIG_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

/// One number of the key, big-endian; padded to `size` unless that is 0.
std::string key_number(EVP_PKEY* key, const char* name, int size) {
  BIGNUM* raw = nullptr;
  SQUALL_ASSERT(EVP_PKEY_get_bn_param(key, name, &raw) == 1);
  const NumberPointer number(raw);
  std::string bytes(static_cast<std::size_t>(size == 0 ? BN_num_bytes(raw) : size), '\0');
  SQUALL_ASSERT(BN_bn2binpad(raw, bytes_of(bytes), static_cast<int>(bytes.size())) >= 0);
  return base::base64url_encode(bytes);
}

json::Value jwk_of(EVP_PKEY* key, std::string_view algorithm) {
  if (algorithm == "ES256") {
    return json::Value::object({{"crv", "P-256"},
                                {"kty", "EC"},
                                {"x", key_number(key, OSSL_PKEY_PARAM_EC_PUB_X, kEcdsaHalfBytes)},
                                {"y", key_number(key, OSSL_PKEY_PARAM_EC_PUB_Y, kEcdsaHalfBytes)}});
  }
  if (algorithm == "RS256") {
    return json::Value::object({{"e", key_number(key, OSSL_PKEY_PARAM_RSA_E, 0)},
                                {"kty", "RSA"},
                                {"n", key_number(key, OSSL_PKEY_PARAM_RSA_N, 0)}});
  }
  std::string point(32, '\0');
  std::size_t size = point.size();
  SQUALL_ASSERT(EVP_PKEY_get_raw_public_key(key, bytes_of(point), &size) == 1);
  return json::Value::object(
      {{"crv", "Ed25519"}, {"kty", "OKP"}, {"x", base::base64url_encode(point)}});
}

/// JOSE wants the two numbers of an ECDSA signature side by side (RFC 7518 section 3.4).
std::string to_joined(std::string_view der) {
  const unsigned char* begin = bytes_of(der);
  const EcSignature signature(d2i_ECDSA_SIG(nullptr, &begin, static_cast<long>(der.size())));
  SQUALL_ASSERT(signature != nullptr);
  const BIGNUM* r = nullptr;
  const BIGNUM* s = nullptr;
  ECDSA_SIG_get0(signature.get(), &r, &s);
  std::string joined(2 * kEcdsaHalfBytes, '\0');
  SQUALL_ASSERT(BN_bn2binpad(r, bytes_of(joined), kEcdsaHalfBytes) > 0);
  SQUALL_ASSERT(BN_bn2binpad(s, bytes_of(joined) + kEcdsaHalfBytes, kEcdsaHalfBytes) > 0);
  return joined;
}

class OpenSslKey : public SigningKey {
 public:
  OpenSslKey(KeyPointer key, std::string_view algorithm)
      : key_(std::move(key)), algorithm_(algorithm), jwk_(jwk_of(key_.get(), algorithm)) {}

  std::string_view algorithm() const override { return algorithm_; }
  const json::Value& public_jwk() const override { return jwk_; }

  Secret pem() const override {
    const BioPointer bio(BIO_new(BIO_s_secmem()));
    SQUALL_ASSERT(bio != nullptr);
    SQUALL_ASSERT(PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr,
                                                nullptr) == 1);
    char* text = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &text);
    return Secret(std::string_view(text, static_cast<std::size_t>(size)));
  }

  std::string sign(const json::Value& header, const json::Value& claims) const override {
    json::Value whole = json::Value::object({{"alg", algorithm_}});
    for (const json::Member& member : header.members()) whole.set(member.name(), member.value);
    std::string text = base::base64url_encode(json::to_string(whole)) + "." +
                       base::base64url_encode(json::to_string(claims));
    text += "." + base::base64url_encode(signature_of(text));
    return text;
  }

 private:
  std::string signature_of(std::string_view text) const {
    const DigestContext context(EVP_MD_CTX_new());
    const EVP_MD* digest = algorithm_ == "EdDSA" ? nullptr : EVP_sha256();
    bool ok = context != nullptr;
    ok = ok && EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key_.get()) == 1;
    std::size_t size = 0;
    ok = ok && EVP_DigestSign(context.get(), nullptr, &size, bytes_of(text), text.size()) == 1;
    std::string signature(size, '\0');
    ok = ok && EVP_DigestSign(context.get(), bytes_of(signature), &size, bytes_of(text),
                              text.size()) == 1;
    SQUALL_ASSERT(ok);
    signature.resize(size);
    return algorithm_ == "ES256" ? to_joined(signature) : signature;
  }

  KeyPointer key_;
  std::string_view algorithm_;
  json::Value jwk_;
};

/// The algorithm a key signs by, or "".
std::string_view algorithm_of(EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "ED25519") == 1) return "EdDSA";
  if (EVP_PKEY_is_a(key, "RSA") == 1 && EVP_PKEY_get_bits(key) >= kRsaBitsMin) return "RS256";
  std::array<char, 32> curve{};
  std::size_t size = 0;
  const bool known = EVP_PKEY_is_a(key, "EC") == 1 &&
                     EVP_PKEY_get_group_name(key, curve.data(), curve.size(), &size) == 1;
  return known && std::strcmp(curve.data(), "prime256v1") == 0 ? "ES256" : "";
}

// Without it OpenSSL asks the terminal for the password of an encrypted key.
int no_password(char*, int, int, void*) { return -1; }

}  // namespace

std::shared_ptr<const SigningKey> SigningKey::generate() {
  KeyPointer key(EVP_EC_gen("P-256"));
  SQUALL_ASSERT(key != nullptr);
  return std::make_shared<OpenSslKey>(std::move(key), "ES256");
}

Result<std::shared_ptr<const SigningKey>> SigningKey::from_pem(const Secret& pem) {
  const std::string& text = pem.reveal();
  if (text.size() > kPemBytesMax) return fail(ErrorKind::limit, "the private key is too long");
  const BioPointer bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  SQUALL_ASSERT(bio != nullptr);
  KeyPointer key(PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_password, nullptr));
  if (key == nullptr) {
    return fail(ErrorKind::invalid, "the private key is no PEM, or it is encrypted");
  }
  const std::string_view algorithm = algorithm_of(key.get());
  if (algorithm.empty()) {
    return fail(ErrorKind::invalid,
                "the private key is neither P-256, nor Ed25519, nor RSA of 2048 bits or more");
  }
  return std::make_shared<OpenSslKey>(std::move(key), algorithm);
}

std::string SigningKey::thumbprint() const { return sha256_text(json::to_string(public_jwk())); }

std::string random_text() {
  std::string bytes(32, '\0');
  base::random_bytes({bytes_of(bytes), bytes.size()});
  return base::base64url_encode(bytes);
}

std::string sha256_text(std::string_view text) {
  const base::Sha256 digest = base::sha256(text);
  return base::base64url_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace squall::auth
