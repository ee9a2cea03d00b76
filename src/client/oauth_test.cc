#include "squall/client/oauth.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "squall/runtime/loop.h"

namespace squall::client {
namespace {

constexpr const char* kUrl = "https://mcp.example/mcp";

/// A network that is never reached.
class NoFetch final : public auth::Fetch {
 public:
  Task<Result<auth::FetchResponse>> fetch(auth::FetchRequest) override {
    co_return fail(ErrorKind::unavailable, "no network here");
  }
};

template <typename T>
T finish(runtime::SimulatedLoop& loop, Task<T> task) {
  task.start();
  while (!task.done() && loop.run_ready()) continue;
  return task.take();
}

class OAuthAuthorizerTest : public testing::Test {
 protected:
  OAuthAuthorizerTest() {
    auth::StoredToken token;
    token.issuer = "https://as.example";
    token.token.access_token = auth::Secret("t-1");
    EXPECT_TRUE(store.keep_token(kUrl, token).has_value());
  }
  AuthChallenge challenge(const HttpHeaders& sent) {
    AuthChallenge one;
    one.method = "POST";
    one.url = kUrl;
    one.headers = {{"WWW-Authenticate", "Bearer"}};
    one.sent = sent;
    return one;
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  NoFetch fetch;
  auth::MemoryStore store;
  auth::ClientCredentialsGrant grant{*loop, fetch, {}};
  auth::Authorization authorization{*loop, fetch, store, grant, kUrl};
  OAuthAuthorizer authorizer{authorization};
};

TEST_F(OAuthAuthorizerTest, GivesTheHeadersOfTheAuthorization) {
  const HttpHeaders expected{{"Authorization", "Bearer t-1"}};
  EXPECT_EQ(finish(*loop, authorizer.authorize("POST", kUrl)), expected);
  EXPECT_EQ(finish(*loop, authorizer.authorize("POST", "https://evil.example/")), HttpHeaders());
}

TEST_F(OAuthAuthorizerTest, TellsWhatTheRequestCarriedAndHowOftenItWasRefused) {
  // Refused without a token that is there by now: the request only has to be sent again.
  EXPECT_EQ(finish(*loop, authorizer.challenged(challenge({}))), true);
  AuthChallenge often = challenge({});
  often.attempt = auth::Authorization::kAttemptsMax;
  EXPECT_EQ(finish(*loop, authorizer.challenged(std::move(often))), false);
  // Refused with the very token: another one has to be fetched.
  const auto result =
      finish(*loop, authorizer.challenged(challenge({{"Authorization", "Bearer t-1"}})));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "no network here");
}

}  // namespace
}  // namespace squall::client
