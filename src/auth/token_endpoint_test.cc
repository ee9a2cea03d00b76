#include "squall/auth/token_endpoint.h"

#include <gtest/gtest.h>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/runtime/loop.h"

#include "script_fetch.h"

namespace squall::auth {
namespace {

using test::finish;

constexpr const char* kUrl = "https://as.example/token";
constexpr const char* kBearer = R"({"access_token":"t-1","token_type":"bearer","expires_in":60,
    "refresh_token":"r-1","scope":"a b"})";

json::Value part(std::string_view jwt, int index) {
  std::size_t from = 0;
  for (int i = 0; i < index; ++i) from = jwt.find('.', from) + 1;
  const auto text = base::base64url_decode(jwt.substr(from, jwt.find('.', from) - from));
  return json::parse(text.value()).value();
}

class TokenEndpointTest : public testing::Test {
 protected:
  TokenEndpointTest() {
    terms.server.issuer = "https://as.example";
    terms.server.token_endpoint = kUrl;
    terms.resource = "https://mcp.example/mcp";
    account.id = "cl:ient";
    form.add("grant_type", "client_credentials");
  }
  TokenResult ask() { return finish(*loop, endpoint.request(terms, account, form)); }
  const FetchRequest& sent() const { return fetch.requests.back(); }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  TokenEndpoint endpoint{*loop, fetch};
  Terms terms;
  Account account;
  Form form;
};

TEST_F(TokenEndpointTest, ReadsTheToken) {
  fetch.on("POST", kUrl, kBearer);
  const TokenResult token = ask();
  ASSERT_TRUE(token.has_value()) << token.error().error.message;
  EXPECT_EQ(token->access_token.reveal(), "t-1");
  EXPECT_EQ(token->refresh_token.reveal(), "r-1");
  EXPECT_EQ(token->scopes, (Scopes{"a", "b"}));
  EXPECT_EQ(token->expires, loop->wall_time() + std::chrono::seconds(60));
  EXPECT_FALSE(token->dpop);
}

TEST_F(TokenEndpointTest, NamesAPublicClientInTheBody) {
  fetch.on("POST", kUrl, kBearer);
  ASSERT_TRUE(ask().has_value());
  const Parameters expected{{"grant_type", "client_credentials"},
                            {"resource", "https://mcp.example/mcp"},
                            {"client_id", "cl:ient"}};
  EXPECT_EQ(fetch.last_form(kUrl), expected);
  EXPECT_EQ(find_header(sent().headers, "Authorization"), nullptr);
  EXPECT_EQ(*find_header(sent().headers, "content-type"), "application/x-www-form-urlencoded");
}

TEST_F(TokenEndpointTest, EncodesNameAndSecretForBasic) {
  fetch.on("POST", kUrl, kBearer);
  account.secret = Secret("p w%");
  ASSERT_TRUE(ask().has_value());
  EXPECT_EQ(*find_header(sent().headers, "Authorization"),
            "Basic " + base::base64_encode("cl%3Aient:p%20w%25"));
  EXPECT_EQ(find(fetch.last_form(kUrl), "client_id"), nullptr);
}

TEST_F(TokenEndpointTest, PutsTheSecretIntoTheBodyWhereTheServerWantsIt) {
  fetch.on("POST", kUrl, kBearer);
  account.secret = Secret("pw");
  terms.server.token_auth_methods = {"client_secret_post", "none"};
  ASSERT_TRUE(ask().has_value());
  EXPECT_EQ(*find(fetch.last_form(kUrl), "client_secret"), "pw");
  EXPECT_EQ(find_header(sent().headers, "Authorization"), nullptr);
}

TEST_F(TokenEndpointTest, SignsAnAssertionForTheIssuer) {
  fetch.on("POST", kUrl, kBearer);
  account.key = SigningKey::generate();
  account.key_id = "k1";
  terms.server.token_auth_methods = {"client_secret_basic", "private_key_jwt"};
  ASSERT_TRUE(ask().has_value());
  const Parameters body = fetch.last_form(kUrl);
  EXPECT_EQ(*find(body, "client_assertion_type"),
            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  const std::string& jwt = *find(body, "client_assertion");
  EXPECT_EQ(*part(jwt, 0).find_string("kid"), "k1");
  const json::Value claims = part(jwt, 1);
  EXPECT_EQ(*claims.find_string("iss"), "cl:ient");
  EXPECT_EQ(*claims.find_string("sub"), "cl:ient");
  EXPECT_EQ(*claims.find_string("aud"), "https://as.example");
  EXPECT_EQ(*claims.find("exp")->as_int64() - *claims.find("iat")->as_int64(), 300);
  const std::string first = jwt;
  ASSERT_TRUE(ask().has_value());
  EXPECT_NE(*find(fetch.last_form(kUrl), "client_assertion"), first);
}

TEST_F(TokenEndpointTest, RefusesToAuthenticateInAWayNobodyAgreedOn) {
  account.method = ClientAuth::client_secret_basic;
  EXPECT_FALSE(ask().has_value());
  account.method.reset();
  terms.server.token_auth_methods = {"private_key_jwt"};
  EXPECT_FALSE(ask().has_value());
  EXPECT_TRUE(fetch.requests.empty());
}

TEST_F(TokenEndpointTest, QuotesTheServerButNoSecret) {
  form.add_secret("code", Secret("c0de"));
  fetch.on("POST", kUrl, R"({"error":"invalid_grant","error_description":"too \u001b late"})", 400);
  TokenResult token = ask();
  ASSERT_FALSE(token.has_value());
  EXPECT_EQ(token.error().code, "invalid_grant");
  EXPECT_EQ(token.error().error.message,
            "the authorization server refused: invalid_grant (too \\u{1b} late)");
  fetch.on("POST", kUrl, R"({"error":"invalid_grant","error_description":"c0de is used"})", 400);
  token = ask();
  EXPECT_EQ(token.error().error.message, "the authorization server refused: invalid_grant");
  fetch.on("POST", kUrl, R"({"error":"c0de"})", 400);
  token = ask();
  EXPECT_EQ(token.error().error.message, "the token endpoint answered with status 400");
}

TEST_F(TokenEndpointTest, TellsAFailingServerFromARefusal) {
  fetch.on("POST", kUrl, "<html>", 502);
  EXPECT_EQ(ask().error().error.kind, ErrorKind::unavailable);
  fetch.on("POST", kUrl, [](const FetchRequest&) -> Result<FetchResponse> {
    return fail(ErrorKind::timeout, "no answer");
  });
  EXPECT_EQ(ask().error().error.kind, ErrorKind::timeout);
}

TEST_F(TokenEndpointTest, RefusesUnsoundAnswers) {
  for (const char* body :
       {"", "[]", "{}", R"({"access_token":"t"})", R"({"access_token":"","token_type":"Bearer"})",
        R"({"access_token":"a\r\nX: y","token_type":"Bearer"})",
        R"({"access_token":7,"token_type":"Bearer"})", R"({"access_token":"t","token_type":"mac"})",
        R"({"access_token":"t","token_type":"DPoP"})"}) {
    fetch.on("POST", kUrl, body);
    EXPECT_FALSE(ask().has_value()) << body;
  }
}

TEST_F(TokenEndpointTest, ReadsLifetimesOfAllKinds) {
  const auto expires_in = [&](const char* text) {
    fetch.on(
        "POST", kUrl,
        std::string(R"({"access_token":"t","token_type":"Bearer","expires_in":)") + text + "}");
    return ask()->expires;
  };
  EXPECT_EQ(expires_in("\"3600\""), loop->wall_time() + std::chrono::hours(1));
  EXPECT_EQ(expires_in("-1"), std::nullopt);
  EXPECT_EQ(expires_in("null"), std::nullopt);
  EXPECT_EQ(expires_in("\"soon\""), std::nullopt);
  EXPECT_GT(expires_in("1e300"), loop->wall_time() + std::chrono::hours(1));
}

TEST_F(TokenEndpointTest, ProvesItsKeyAndAnswersANonceOnce) {
  Dpop dpop;
  terms.dpop = &dpop;
  fetch.on("POST", kUrl, [](const FetchRequest& request) -> Result<FetchResponse> {
    const json::Value claims = part(*find_header(request.headers, "DPoP"), 1);
    if (claims.find_string("nonce") == "n-1") {
      return FetchResponse{200, {}, R"({"access_token":"t","token_type":"DPoP"})"};
    }
    return FetchResponse{400, {{"dpop-nonce", "n-1"}}, R"({"error":"use_dpop_nonce"})"};
  });
  const TokenResult token = ask();
  ASSERT_TRUE(token.has_value()) << token.error().error.message;
  EXPECT_TRUE(token->dpop);
  EXPECT_EQ(fetch.requests.size(), 2U);
  const json::Value claims = part(*find_header(sent().headers, "DPoP"), 1);
  EXPECT_EQ(*claims.find_string("htm"), "POST");
  EXPECT_EQ(*claims.find_string("htu"), kUrl);
  EXPECT_FALSE(claims.contains("ath"));
}

TEST_F(TokenEndpointTest, DoesNotFollowAServerThatAlwaysWantsAnotherNonce) {
  Dpop dpop;
  terms.dpop = &dpop;
  int count = 0;
  fetch.on("POST", kUrl, [&count](const FetchRequest&) -> Result<FetchResponse> {
    const std::string nonce = "n-" + std::to_string(++count);
    return FetchResponse{400, {{"DPoP-Nonce", nonce}}, R"({"error":"use_dpop_nonce"})"};
  });
  EXPECT_EQ(ask().error().code, "use_dpop_nonce");
  EXPECT_EQ(count, 2);
}

TEST_F(TokenEndpointTest, RefusesATokenThatIsNotBoundAsAsked) {
  Dpop dpop;
  terms.dpop = &dpop;
  fetch.on("POST", kUrl, kBearer);
  EXPECT_FALSE(ask().has_value());
}

}  // namespace
}  // namespace squall::auth
