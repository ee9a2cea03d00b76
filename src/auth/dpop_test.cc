#include "squall/auth/dpop.h"

#include <gtest/gtest.h>

#include "squall/auth/token.h"
#include "squall/base/text.h"
#include "squall/json/parse.h"

namespace squall::auth {
namespace {

constexpr WallTime kNow{std::chrono::seconds(1'800'000'000)};

json::Value part(const std::string& jwt, int index) {
  std::size_t from = 0;
  for (int i = 0; i < index; ++i) from = jwt.find('.', from) + 1;
  const auto text = base::base64url_decode(jwt.substr(from, jwt.find('.', from) - from));
  return json::parse(text.value()).value();
}

TEST(Dpop, ProvesMethodUrlAndToken) {
  const Dpop dpop;
  const std::string jwt = dpop.proof("GET", "https://h.example/mcp?x=1", Secret("t-1"), kNow);
  const json::Value header = part(jwt, 0);
  EXPECT_EQ(*header.find_string("typ"), "dpop+jwt");
  EXPECT_EQ(*header.find_string("alg"), "ES256");
  EXPECT_EQ(*header.find("jwk"), dpop.key().public_jwk());
  const json::Value claims = part(jwt, 1);
  EXPECT_EQ(*claims.find_string("htm"), "GET");
  EXPECT_EQ(*claims.find_string("htu"), "https://h.example/mcp");
  EXPECT_EQ(*claims.find("iat")->as_int64(), 1'800'000'000);
  EXPECT_EQ(*claims.find_string("ath"), sha256_text("t-1"));
  EXPECT_FALSE(claims.contains("nonce"));
}

TEST(Dpop, NeverProvesTwiceAlike) {
  const Dpop dpop;
  const json::Value first = part(dpop.proof("POST", "https://h/", Secret(), kNow), 1);
  const json::Value second = part(dpop.proof("POST", "https://h/", Secret(), kNow), 1);
  EXPECT_NE(*first.find_string("jti"), *second.find_string("jti"));
}

TEST(Dpop, KeepsANonceForItsOrigin) {
  Dpop dpop;
  EXPECT_TRUE(dpop.learn("https://h.example/a", {{"DPoP-Nonce", "n-1"}}));
  EXPECT_FALSE(dpop.learn("https://h.example/b", {{"dpop-nonce", "n-1"}}));
  EXPECT_FALSE(dpop.learn("https://h.example/b", {}));
  const auto nonce_for = [&dpop](std::string_view url) {
    const json::Value claims = part(dpop.proof("POST", url, Secret(), kNow), 1);
    return std::string(claims.find_string("nonce").value_or(""));
  };
  EXPECT_EQ(nonce_for("https://h.example/c"), "n-1");
  EXPECT_EQ(nonce_for("https://other.example/c"), "");
  EXPECT_TRUE(dpop.learn("https://h.example/", {{"DPoP-Nonce", "n-2"}}));
  EXPECT_EQ(nonce_for("https://h.example/c"), "n-2");
}

TEST(Dpop, TakesNoUnsoundNonceAndForgetsTheOldest) {
  Dpop dpop;
  for (const std::string& nonce : {std::string(), std::string("a b"), std::string("a\"b"),
                                   std::string(Dpop::kNonceBytesMax + 1, 'n')}) {
    EXPECT_FALSE(dpop.learn("https://h/", {{"DPoP-Nonce", nonce}}));
  }
  for (std::size_t i = 0; i <= Dpop::kOriginsMax; ++i) {
    EXPECT_TRUE(dpop.learn("https://h" + std::to_string(i), {{"DPoP-Nonce", "n"}}));
  }
  EXPECT_TRUE(dpop.learn("https://h0", {{"DPoP-Nonce", "n"}}));
  EXPECT_FALSE(dpop.learn("https://h5", {{"DPoP-Nonce", "n"}}));
}

}  // namespace
}  // namespace squall::auth
