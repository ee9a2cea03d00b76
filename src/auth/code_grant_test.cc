#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "squall/auth/grant.h"

#include "script_fetch.h"

namespace squall::auth {
namespace {

using test::finish;

constexpr const char* kIssuer = "https://as.example";

/// A redirector whose URI is free to choose, and that agrees at once.
class AgreeingRedirector final : public Redirector {
 public:
  Result<std::string> open(const std::string& earlier) override {
    asked_for = earlier;
    return uri;
  }
  Task<Result<std::string>> visit(const std::string& url, const Secret& state) override {
    visited = parse_query(url.substr(url.find('?') + 1)).value();
    co_return uri + "?code=c0de&state=" + state.reveal();
  }
  std::string uri = "http://127.0.0.1:4000/callback";
  std::string asked_for;
  Parameters visited;
};

class CodeGrantTest : public testing::Test {
 protected:
  CodeGrantTest() {
    terms.server.issuer = kIssuer;
    terms.server.authorization_endpoint = "https://as.example/authorize?tenant=1";
    terms.server.token_endpoint = "https://as.example/token";
    terms.server.registration_endpoint = "https://as.example/register";
    terms.server.code_challenge_methods = {"plain", "S256"};
    fetch.on("POST", terms.server.token_endpoint, R"({"access_token":"t","token_type":"Bearer"})");
    fetch.on("POST", terms.server.registration_endpoint,
             R"({"client_id":"c-1","client_secret":"s-1"})", 201);
  }
  TokenResult obtain() { return finish(*loop, grant.obtain(terms)); }
  std::size_t registrations() const { return fetch.count("POST", "https://as.example/register"); }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  MemoryStore store;
  AgreeingRedirector redirector;
  CodeGrant grant{*loop, fetch, store, redirector};
  Terms terms;
};

TEST_F(CodeGrantTest, KeepsTheEndpointsOwnQuery) {
  ASSERT_TRUE(obtain().has_value());
  EXPECT_EQ(*find(redirector.visited, "tenant"), "1");
  EXPECT_EQ(*find(redirector.visited, "client_id"), "c-1");
}

TEST_F(CodeGrantTest, RegistersOnceForARedirect) {
  ASSERT_TRUE(obtain().has_value());
  ASSERT_TRUE(obtain().has_value());
  EXPECT_EQ(registrations(), 1U);
  EXPECT_EQ(redirector.asked_for, redirector.uri);  // the port that was registered is tried first
  redirector.uri = "http://127.0.0.1:4001/callback";
  ASSERT_TRUE(obtain().has_value());
  EXPECT_EQ(registrations(), 2U);
}

TEST_F(CodeGrantTest, RegistersAgainWhenItsSecretHasExpired) {
  StoredClient client;
  client.id = "old";
  client.redirect_uri = redirector.uri;
  client.expires = loop->wall_time() - std::chrono::seconds(1);
  ASSERT_TRUE(store.keep_client(kIssuer, client).has_value());
  ASSERT_TRUE(obtain().has_value());
  EXPECT_EQ(registrations(), 1U);
}

TEST_F(CodeGrantTest, RegistersAgainAfterTheServerForgotTheClient) {
  ASSERT_TRUE(obtain().has_value());
  fetch.on("POST", terms.server.token_endpoint, R"({"error":"invalid_client"})", 401);
  EXPECT_EQ(obtain().error().code, "invalid_client");
  fetch.on("POST", terms.server.token_endpoint, R"({"access_token":"t","token_type":"Bearer"})");
  ASSERT_TRUE(obtain().has_value());
  EXPECT_EQ(registrations(), 2U);
}

TEST_F(CodeGrantTest, RefreshesAsTheClientThatTheTokenWasGivenTo) {
  ASSERT_TRUE(obtain().has_value());
  Token old;
  old.refresh_token = Secret("r-1");
  old.scopes = {"a"};
  old.client_id = "another";
  EXPECT_EQ(finish(*loop, grant.renew(terms, old)).error().code, "invalid_grant");
  old.client_id = "c-1";
  const TokenResult token = finish(*loop, grant.renew(terms, old));
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->refresh_token.reveal(), "r-1");
  EXPECT_EQ(token->scopes, Scopes{"a"});
  old.refresh_token = Secret();
  EXPECT_FALSE(finish(*loop, grant.renew(terms, old)).has_value());
}

TEST_F(CodeGrantTest, NeedsAnAuthorizationEndpoint) {
  terms.server.authorization_endpoint = "";
  EXPECT_FALSE(obtain().has_value());
  EXPECT_EQ(registrations(), 0U);
}

}  // namespace
}  // namespace squall::auth
