#include "squall/auth/signing_key.h"

#include <cstdio>

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::auth {
namespace {

/// The private key of `kind` as PEM, made by OpenSSL.
Secret fresh_pem(const char* kind, const char* curve_or_null, std::size_t bits) {
  EVP_PKEY* key = nullptr;
  if (curve_or_null != nullptr) {
    key = EVP_PKEY_Q_keygen(nullptr, nullptr, kind, curve_or_null);
  } else if (bits != 0) {
    key = EVP_PKEY_Q_keygen(nullptr, nullptr, kind, bits);
  } else {
    key = EVP_PKEY_Q_keygen(nullptr, nullptr, kind);
  }
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PKCS8PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  Secret pem(std::string_view(text, static_cast<std::size_t>(size)));
  BIO_free(bio);
  EVP_PKEY_free(key);
  return pem;
}

/// Whether `jwt` is signed by the key of `pem`, as OpenSSL sees it.
bool verifies(const std::string& jwt, const Secret& pem, bool hashed, bool elliptic) {
  const std::size_t dot = jwt.rfind('.');
  const std::string text = jwt.substr(0, dot);
  std::string signature = base::base64url_decode(jwt.substr(dot + 1)).value();
  BIO* bio = BIO_new_mem_buf(pem.reveal().data(), static_cast<int>(pem.reveal().size()));
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  if (elliptic) {
    EXPECT_EQ(signature.size(), 64U);
    const auto* half = reinterpret_cast<const unsigned char*>(signature.data());
    ECDSA_SIG* pair = ECDSA_SIG_new();
    ECDSA_SIG_set0(pair, BN_bin2bn(half, 32, nullptr), BN_bin2bn(half + 32, 32, nullptr));
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(pair, &der);
    signature.assign(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    ECDSA_SIG_free(pair);
  }
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  EVP_DigestVerifyInit(context, nullptr, hashed ? EVP_sha256() : nullptr, nullptr, key);
  const int ok = EVP_DigestVerify(context, reinterpret_cast<const unsigned char*>(signature.data()),
                                  signature.size(),
                                  reinterpret_cast<const unsigned char*>(text.data()), text.size());
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  BIO_free(bio);
  return ok == 1;
}

json::Value part(const std::string& jwt, int index) {
  std::size_t from = 0;
  for (int i = 0; i < index; ++i) from = jwt.find('.', from) + 1;
  const auto text = base::base64url_decode(jwt.substr(from, jwt.find('.', from) - from));
  return json::parse(text.value()).value();
}

TEST(SigningKey, SignsByTheAlgorithmOfItsKind) {
  struct Kind {
    Secret pem;
    std::string_view algorithm;
  };
  for (const auto& [pem, algorithm] :
       {Kind{fresh_pem("EC", "P-256", 0), "ES256"}, Kind{fresh_pem("RSA", nullptr, 2048), "RS256"},
        Kind{fresh_pem("ED25519", nullptr, 0), "EdDSA"}}) {
    const auto key = SigningKey::from_pem(pem);
    ASSERT_TRUE(key.has_value()) << algorithm << key.error().message;
    EXPECT_EQ((*key)->algorithm(), algorithm);
    const std::string jwt = (*key)->sign(json::Value::object({{"typ", "JWT"}}),
                                         json::Value::object({{"iss", "me"}, {"n", 1}}));
    EXPECT_TRUE(verifies(jwt, pem, algorithm != "EdDSA", algorithm == "ES256")) << algorithm;
    EXPECT_EQ(part(jwt, 0), json::Value::object({{"alg", algorithm}, {"typ", "JWT"}}));
    EXPECT_EQ(part(jwt, 1), json::Value::object({{"iss", "me"}, {"n", 1}}));
    EXPECT_FALSE(json::to_string((*key)->public_jwk()).contains("\"d\""));
  }
}

TEST(SigningKey, SignaturesOfP256AlwaysHave64Bytes) {
  // A half with a leading zero byte comes once in 128 signatures.
  const auto key = SigningKey::generate();
  for (int i = 0; i < 600; ++i) {
    const std::string jwt = key->sign(json::Value::object(), json::Value::object({{"n", i}}));
    ASSERT_EQ(base::base64url_decode(jwt.substr(jwt.rfind('.') + 1)).value().size(), 64U);
  }
}

TEST(SigningKey, ComesBackFromItsPem) {
  const auto key = SigningKey::generate();
  const auto again = SigningKey::from_pem(key->pem());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ((*again)->thumbprint(), key->thumbprint());
  EXPECT_NE(SigningKey::generate()->thumbprint(), key->thumbprint());
}

TEST(SigningKey, ThumbprintIsThatOfTheRfc) {
  // RFC 8037 appendix A: the Ed25519 key and its RFC 7638 thumbprint.
  const Secret pem(
      "-----BEGIN PRIVATE KEY-----\n"
      "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
      "-----END PRIVATE KEY-----\n");
  const auto key = SigningKey::from_pem(pem);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ((*key)->thumbprint(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
}

TEST(SigningKey, RefusesOtherKeysWithoutShowingThem) {
  const std::string long_text(70'000, 'A');
  for (const Secret& pem :
       {Secret("hunter2"), Secret(), Secret(long_text), fresh_pem("EC", "P-384", 0),
        fresh_pem("RSA", nullptr, 1024),
        Secret("-----BEGIN ENCRYPTED PRIVATE KEY-----\nhunter2\n-----END ENCRYPTED PRIVATE "
               "KEY-----\n")}) {
    const auto key = SigningKey::from_pem(pem);
    ASSERT_FALSE(key.has_value());
    EXPECT_FALSE(key.error().message.contains("hunter2"));
  }
}

TEST(Sha256Text, IsTheS256Challenge) {
  // RFC 7636 appendix B.
  EXPECT_EQ(sha256_text("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

TEST(RandomText, IsAVerifierOf43CharactersEachTimeAnother) {
  EXPECT_EQ(random_text().size(), 43U);
  EXPECT_NE(random_text(), random_text());
}

}  // namespace
}  // namespace squall::auth
