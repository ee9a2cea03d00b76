#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "squall/auth/grant.h"
#include "squall/base/text.h"

#include "script_fetch.h"

namespace squall::auth {
namespace {

using test::finish;

constexpr const char* kUrl = "https://as.example/token";
constexpr const char* kIdp = "https://idp.example/token";

class MachineGrantTest : public testing::Test {
 protected:
  MachineGrantTest() {
    terms.server.issuer = "https://as.example";
    terms.server.token_endpoint = kUrl;
    terms.resource = "https://mcp.example/mcp";
    terms.scopes = {"a", "b"};
    known.issuer = "https://as.example";
    known.account.id = "client";
    fetch.on("POST", kUrl, R"({"access_token":"t-1","token_type":"Bearer"})");
  }
  std::string sent(const char* url, const char* name) const {
    const Parameters form = fetch.last_form(url);
    const std::string* value = find(form, name);
    return value == nullptr ? "(absent)" : *value;
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  Terms terms;
  KnownAccount known;
};

TEST_F(MachineGrantTest, ClientCredentialsSpeakForThemselves) {
  known.account.secret = Secret("pw");
  ClientCredentialsGrant grant(*loop, fetch, known);
  const TokenResult token = finish(*loop, grant.obtain(terms));
  ASSERT_TRUE(token.has_value()) << token.error().error.message;
  EXPECT_EQ(token->access_token.reveal(), "t-1");
  EXPECT_EQ(token->client_id, "client");
  EXPECT_EQ(sent(kUrl, "grant_type"), "client_credentials");
  EXPECT_EQ(sent(kUrl, "scope"), "a b");
  EXPECT_EQ(sent(kUrl, "resource"), "https://mcp.example/mcp");
  EXPECT_TRUE(grant.knows("https://as.example"));
  EXPECT_FALSE(grant.wants_refresh());
  ASSERT_TRUE(finish(*loop, grant.renew(terms, *token)).has_value());
  EXPECT_EQ(sent(kUrl, "grant_type"), "client_credentials");
}

TEST_F(MachineGrantTest, AccountsAreShownToTheirIssuerAlone) {
  known.issuer = "https://other.example";
  known.account.secret = Secret("pw");
  WorkloadIdentity source([]() -> Result<Secret> { return Secret("jwt"); });
  ClientCredentialsGrant credentials(*loop, fetch, known);
  AssertionGrant assertion(*loop, fetch, known, source);
  EXPECT_FALSE(finish(*loop, credentials.obtain(terms)).has_value());
  EXPECT_FALSE(finish(*loop, assertion.obtain(terms)).has_value());
  EXPECT_TRUE(fetch.requests.empty());
}

TEST_F(MachineGrantTest, WorkloadsSendAFreshAssertionEachTime) {
  int reads = 0;
  WorkloadIdentity source(
      [&reads]() -> Result<Secret> { return Secret("jwt-" + std::to_string(++reads)); });
  AssertionGrant grant(*loop, fetch, known, source);
  ASSERT_TRUE(finish(*loop, grant.obtain(terms)).has_value());
  ASSERT_TRUE(finish(*loop, grant.obtain(terms)).has_value());
  EXPECT_EQ(sent(kUrl, "grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
  EXPECT_EQ(sent(kUrl, "assertion"), "jwt-2");
  EXPECT_EQ(sent(kUrl, "client_id"), "client");
}

TEST_F(MachineGrantTest, ARefusedAssertionIsNotSentAgain) {
  fetch.on("POST", kUrl, R"({"error":"invalid_grant","error_description":"jwt-1 is late"})", 400);
  WorkloadIdentity source([]() -> Result<Secret> { return Secret("jwt-1"); });
  AssertionGrant grant(*loop, fetch, known, source);
  const TokenResult token = finish(*loop, grant.obtain(terms));
  ASSERT_FALSE(token.has_value());
  EXPECT_EQ(token.error().code, "invalid_grant");
  EXPECT_FALSE(token.error().error.message.contains("jwt-1"));
  EXPECT_EQ(fetch.requests.size(), 1U);
}

TEST_F(MachineGrantTest, AnAssertionThatCannotBeReadIsAnError) {
  WorkloadIdentity source([]() -> Result<Secret> { return fail(ErrorKind::not_found, "no file"); });
  AssertionGrant grant(*loop, fetch, known, source);
  EXPECT_EQ(finish(*loop, grant.obtain(terms)).error().error.message, "no file");
}

class EnterpriseTest : public MachineGrantTest {
 protected:
  EnterpriseTest() {
    provider.issuer = "https://idp.example";
    provider.token_endpoint = kIdp;
    provider.account.id = "at-idp";
    known.account.secret = Secret("pw");
    fetch.on("POST", kIdp,
             R"({"access_token":"id-jag","token_type":"N_A",
                 "issued_token_type":"urn:ietf:params:oauth:token-type:id-jag"})");
  }
  TokenResult obtain() {
    IdentityAssertion source(*loop, fetch, provider,
                             []() -> Result<Secret> { return Secret("id-token"); });
    AssertionGrant grant(*loop, fetch, known, source);
    return finish(*loop, grant.obtain(terms));
  }
  IdentityProvider provider;
};

TEST_F(EnterpriseTest, ExchangesTheIdTokenForAnAssertionToTheIssuer) {
  ASSERT_TRUE(obtain().has_value());
  EXPECT_EQ(sent(kIdp, "grant_type"), "urn:ietf:params:oauth:grant-type:token-exchange");
  EXPECT_EQ(sent(kIdp, "requested_token_type"), "urn:ietf:params:oauth:token-type:id-jag");
  EXPECT_EQ(sent(kIdp, "subject_token"), "id-token");
  EXPECT_EQ(sent(kIdp, "subject_token_type"), "urn:ietf:params:oauth:token-type:id_token");
  EXPECT_EQ(sent(kIdp, "audience"), "https://as.example");
  EXPECT_EQ(sent(kIdp, "resource"), "https://mcp.example/mcp");
  EXPECT_EQ(sent(kIdp, "scope"), "a b");
  EXPECT_EQ(sent(kIdp, "client_id"), "at-idp");
  EXPECT_EQ(sent(kUrl, "assertion"), "id-jag");
  EXPECT_EQ(*find_header(fetch.requests.back().headers, "Authorization"),
            "Basic " + base::base64_encode("client:pw"));
}

TEST_F(EnterpriseTest, TakesNothingElseForAnAssertion) {
  for (const char* body :
       {R"({"access_token":"x","token_type":"Bearer"})",
        R"({"access_token":"","issued_token_type":"urn:ietf:params:oauth:token-type:id-jag"})",
        R"({"issued_token_type":"urn:ietf:params:oauth:token-type:id-jag"})", "[]"}) {
    fetch.on("POST", kIdp, body);
    EXPECT_FALSE(obtain().has_value()) << body;
  }
  EXPECT_EQ(fetch.count("POST", kUrl), 0U);
}

TEST_F(EnterpriseTest, SendsTheIdTokenOverHttpsAlone) {
  provider.token_endpoint = "http://idp.example/token";
  EXPECT_FALSE(obtain().has_value());
  EXPECT_TRUE(fetch.requests.empty());
}

}  // namespace
}  // namespace squall::auth
