#include "squall/auth/authorization.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/runtime/sleep.h"

#include "script_fetch.h"

namespace squall::auth {
namespace {

using namespace std::chrono_literals;
using test::finish;

constexpr const char* kServer = "https://mcp.example/mcp";
constexpr const char* kResourceMetadata =
    "https://mcp.example/.well-known/oauth-protected-resource/mcp";
constexpr const char* kBack = "http://127.0.0.1:3334/callback";

std::string bearer(const std::string& rest = "") {
  return std::string("Bearer resource_metadata=\"") + kResourceMetadata + "\"" + rest;
}

/// What the MCP server says to a request with these headers.
struct Answer {
  int status = 200;
  Headers headers;
};
using Server = std::function<Answer(const Headers&)>;

Answer deny(int status, const std::string& challenge) {
  return {status, {{"WWW-Authenticate", challenge}}};
}

/// An authorization server at `issuer`, behind a ScriptFetch.
class FakeIssuer {
 public:
  FakeIssuer(test::ScriptFetch& fetch, std::string issuer)
      : fetch_(fetch), url_(std::move(issuer)) {
    metadata = json::Value::object(
        {{"issuer", url_},
         {"authorization_endpoint", url_ + "/authorize"},
         {"token_endpoint", url_ + "/token"},
         {"registration_endpoint", url_ + "/register"},
         {"code_challenge_methods_supported", json::Value::array({"S256"})},
         {"token_endpoint_auth_methods_supported", json::Value::array({"none"})}});
    fetch_.on("GET", url_ + "/.well-known/oauth-authorization-server",
              [this](const FetchRequest&) -> Result<FetchResponse> {
                return FetchResponse{200, {}, json::to_string(metadata)};
              });
    fetch_.on("GET", url_ + "/authorize",
              [this](const FetchRequest& request) { return authorize(request); });
    fetch_.on("POST", url_ + "/register", R"({"client_id":"client-of-)" + url_ + "\"}", 201);
    fetch_.on("POST", url_ + "/token",
              [this](const FetchRequest& request) { return token(request); });
  }

  Parameters last_authorization;
  json::Value metadata;
  json::Value token_extra = json::Value::object();
  std::string answer_extra;
  std::string last_token;
  bool refuse_refresh = false;
  int tokens = 0;

 private:
  Result<FetchResponse> authorize(const FetchRequest& request) {
    last_authorization = parse_query(request.url.substr(request.url.find('?') + 1)).value();
    const std::string* redirect = find(last_authorization, "redirect_uri");
    const std::string* state = find(last_authorization, "state");
    return FetchResponse{
        302, {{"Location", *redirect + "?code=c0de&state=" + *state + answer_extra}}, ""};
  }
  Result<FetchResponse> token(const FetchRequest& request) {
    const Parameters form = parse_query(request.body).value();
    const std::string* verifier = find(form, "code_verifier");
    if (*find(form, "grant_type") == "authorization_code" &&
        sha256_text(*verifier) != *find(last_authorization, "code_challenge")) {
      return FetchResponse{400, {}, R"({"error":"invalid_grant"})"};
    }
    if (*find(form, "grant_type") == "refresh_token" && refuse_refresh) {
      return FetchResponse{400, {}, R"({"error":"invalid_grant"})"};
    }
    last_token = "token-" + std::to_string(++tokens);
    json::Value answer =
        json::Value::object({{"access_token", last_token}, {"token_type", "Bearer"}});
    for (const json::Member& member : token_extra.members())
      answer.set(member.name(), member.value);
    return FetchResponse{200, {}, json::to_string(answer)};
  }

  test::ScriptFetch& fetch_;
  std::string url_;
};

class AuthorizationTest : public testing::Test {
 protected:
  AuthorizationTest() { publish(R"(["https://as.example"])"); }

  void publish(const std::string& issuers, const std::string& more = "") {
    fetch.on("GET", kResourceMetadata,
             std::string(R"({"resource":")") + kServer + R"(","authorization_servers":)" + issuers +
                 more + "}");
  }

  /// What a client does with one request: its last status, or the error.
  Task<Result<int>> send(const Server& server) {
    for (int attempt = 0;; ++attempt) {
      const Result<Headers> headers = co_await authorization->headers("POST", kServer);
      if (!headers) co_return std::unexpected(headers.error());
      sent.push_back(*headers);
      const Answer answer = server(*headers);
      if (answer.status == 200) co_return 200;
      Denial denial("POST", kServer, answer.status);
      denial.response = answer.headers;
      denial.sent = *headers;
      denial.attempt = attempt;
      const Result<bool> again = co_await authorization->denied(denial);
      if (!again) co_return std::unexpected(again.error());
      if (!*again) co_return answer.status;
    }
  }
  Result<int> call(const Server& server) { return finish(*loop, send(server)); }
  void restart() {
    authorization = std::make_unique<Authorization>(*loop, fetch, store, grant, kServer);
  }
  std::string last_authorization() const {
    const std::string* value = find_header(sent.back(), "Authorization");
    return value == nullptr ? "" : *value;
  }
  /// A server that takes the issuer's latest token.
  Server takes(const FakeIssuer& from, const std::string& challenge) {
    return [&from, challenge](const Headers& headers) -> Answer {
      const std::string* value = find_header(headers, "Authorization");
      const bool good = value != nullptr && *value == "Bearer " + from.last_token;
      return good ? Answer() : deny(401, challenge);
    };
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  FakeIssuer issuer{fetch, "https://as.example"};
  MemoryStore store;
  HeadlessRedirector redirector{fetch, kBack};
  CodeGrant grant{*loop, fetch, store, redirector};
  std::unique_ptr<Authorization> authorization =
      std::make_unique<Authorization>(*loop, fetch, store, grant, kServer);
  std::vector<Headers> sent;
};

TEST_F(AuthorizationTest, GetsATokenWhenTheServerAsksForOne) {
  EXPECT_EQ(call(takes(issuer, bearer(", scope=\"mcp:basic\""))), 200);
  EXPECT_TRUE(sent.front().empty());
  EXPECT_EQ(last_authorization(), "Bearer token-1");
  const Parameters& asked = issuer.last_authorization;
  EXPECT_EQ(*find(asked, "response_type"), "code");
  EXPECT_EQ(*find(asked, "client_id"), "client-of-https://as.example");
  EXPECT_EQ(*find(asked, "scope"), "mcp:basic");
  EXPECT_EQ(*find(asked, "resource"), kServer);
  EXPECT_EQ(*find(asked, "code_challenge_method"), "S256");
  const Parameters exchanged = fetch.last_form("https://as.example/token");
  EXPECT_EQ(*find(exchanged, "resource"), kServer);
  EXPECT_EQ(*find(exchanged, "redirect_uri"), kBack);
  EXPECT_EQ(*find(exchanged, "code"), "c0de");
}

TEST_F(AuthorizationTest, KeepsTheTokenForTheNextRequestAndTheNextRun) {
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(sent.size(), 3U);
  restart();
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(sent.size(), 4U);
  EXPECT_EQ(issuer.tokens, 1);
}

TEST_F(AuthorizationTest, SendsNothingToAnotherOrigin) {
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  for (const std::string url : {"https://evil.example/mcp", "http://mcp.example/mcp",
                                "https://mcp.example:444/mcp", "nonsense"}) {
    EXPECT_TRUE(finish(*loop, authorization->headers("POST", url)).value().empty()) << url;
    Denial denial("POST", url, 401);
    denial.response = {{"WWW-Authenticate", bearer()}};
    EXPECT_FALSE(finish(*loop, authorization->denied(denial)).value()) << url;
  }
  EXPECT_FALSE(
      finish(*loop, authorization->headers("GET", "https://mcp.example/other")).value().empty());
}

TEST_F(AuthorizationTest, TakesItsScopesFromTheChallengeThenFromTheMetadata) {
  publish(R"(["https://as.example"])", R"(,"scopes_supported":["a","b"])");
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(*find(issuer.last_authorization, "scope"), "a b");
}

TEST_F(AuthorizationTest, NamesNoScopeWhenNobodyDoes) {
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(find(issuer.last_authorization, "scope"), nullptr);
}

TEST_F(AuthorizationTest, AsksForOfflineAccessWhereTheIssuerHasIt) {
  issuer.metadata.set("scopes_supported", json::Value::array({"a", "offline_access"}));
  ASSERT_EQ(call(takes(issuer, bearer(", scope=a"))), 200);
  EXPECT_EQ(*find(issuer.last_authorization, "scope"), "a offline_access");
  EXPECT_EQ(*find(issuer.last_authorization, "prompt"), "consent");
}

TEST_F(AuthorizationTest, StepsUpWithAllScopesSoFar) {
  const Server server = [this](const Headers& headers) -> Answer {
    if (find_header(headers, "Authorization") == nullptr) return deny(401, bearer(", scope=read"));
    if (issuer.tokens < 2) return deny(403, bearer(", error=insufficient_scope, scope=write"));
    return {};
  };
  EXPECT_EQ(call(server), 200);
  EXPECT_EQ(*find(issuer.last_authorization, "scope"), "read write");
  EXPECT_EQ(last_authorization(), "Bearer token-2");
}

TEST_F(AuthorizationTest, DoesNotAskAgainForAScopeThatWasNotEnough) {
  const Server server = [](const Headers& headers) -> Answer {
    if (find_header(headers, "Authorization") == nullptr) return deny(401, bearer(", scope=admin"));
    return deny(403, bearer(", error=insufficient_scope, scope=admin"));
  };
  EXPECT_EQ(call(server), 403);
  EXPECT_EQ(call(server), 403);
  EXPECT_EQ(issuer.tokens, 1);
}

TEST_F(AuthorizationTest, EndsAgainstAServerThatInventsScopes) {
  int invented = 0;
  const Server server = [&invented](const Headers& headers) -> Answer {
    if (find_header(headers, "Authorization") == nullptr) return deny(401, bearer());
    return deny(403, bearer(", error=insufficient_scope, scope=s" + std::to_string(++invented)));
  };
  EXPECT_EQ(call(server), 403);
  EXPECT_EQ(sent.size(), 4U);
  Result<int> last = 403;
  for (int i = 0; i < 20 && last; ++i) last = call(server);
  ASSERT_FALSE(last.has_value());
  EXPECT_EQ(last.error().kind, ErrorKind::limit);
  EXPECT_EQ(issuer.tokens, static_cast<int>(Authorization::kFlowsMax));
  loop->advance(Authorization::kFlowsWindow);
  EXPECT_EQ(call(server), 403);  // and may try again later
}

TEST_F(AuthorizationTest, LeavesOtherRefusalsAlone) {
  const Server forbidden = [](const Headers&) -> Answer { return {403, {}}; };
  EXPECT_EQ(call(forbidden), 403);
  const Server basic = [](const Headers&) { return deny(401, "Basic realm=x"); };
  EXPECT_EQ(call(basic), 401);
  const Server gone = [](const Headers&) -> Answer { return {404, {}}; };
  EXPECT_EQ(call(gone), 404);
  EXPECT_TRUE(fetch.requests.empty());
}

TEST_F(AuthorizationTest, GivesUpOnAServerThatRefusesItsFreshToken) {
  const Server server = [](const Headers&) { return deny(401, bearer(", error=invalid_token")); };
  const Result<int> status = call(server);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(issuer.tokens, 1);
  EXPECT_FALSE(status.error().message.contains("token-1"));
  EXPECT_FALSE(store.token(kServer).value().has_value());
}

TEST_F(AuthorizationTest, FindsTheMetadataWithoutBeingTold) {
  EXPECT_EQ(call(takes(issuer, "Bearer")), 200);
  const Server bare = [](const Headers& headers) -> Answer {
    return find_header(headers, "Authorization") ? Answer() : Answer{401, {}};
  };
  store.keep_token(kServer, std::nullopt).value();
  restart();
  EXPECT_EQ(call(bare), 200);
}

TEST_F(AuthorizationTest, LooksAtTheRootWhenThePathHasNone) {
  fetch.on("GET", kResourceMetadata, "", 404);
  fetch.on("GET", "https://mcp.example/.well-known/oauth-protected-resource",
           R"({"resource":"https://mcp.example","authorization_servers":["https://as.example"]})");
  EXPECT_EQ(call(takes(issuer, "Bearer")), 200);
  EXPECT_EQ(*find(issuer.last_authorization, "resource"), "https://mcp.example");
}

TEST_F(AuthorizationTest, FallsBackToTheServersOwnEndpointsAsOf20250326) {
  fetch.on("GET", kResourceMetadata, "<html>", 404);
  FakeIssuer own(fetch, "https://mcp.example");
  EXPECT_EQ(call(takes(own, "Bearer")), 200);
  EXPECT_EQ(fetch.count("POST", "https://mcp.example/register"), 1U);
  store.keep_token(kServer, std::nullopt).value();
  restart();
  fetch.on("GET", "https://mcp.example/.well-known/oauth-authorization-server", "", 404);
  EXPECT_EQ(call(takes(own, "Bearer")), 200);
}

TEST_F(AuthorizationTest, RefusesMetadataOfAnotherServerOrIssuer) {
  fetch.on(
      "GET", kResourceMetadata,
      R"({"resource":"https://evil.example/mcp","authorization_servers":["https://as.example"]})");
  EXPECT_FALSE(call(takes(issuer, bearer())).has_value());
  publish(R"(["https://as.example"])");
  issuer.metadata.set("issuer", "https://evil.example");
  EXPECT_FALSE(call(takes(issuer, bearer())).has_value());
  EXPECT_EQ(fetch.count("POST", "https://as.example/register"), 0U);
  EXPECT_EQ(fetch.count("GET", "https://as.example/authorize"), 0U);
}

TEST_F(AuthorizationTest, RefusesAnIssuerThatDoesNotCheckPkce) {
  for (const json::Value& methods : {json::Value(), json::Value::array({"plain"})}) {
    issuer.metadata.set("code_challenge_methods_supported", methods);
    const Result<int> status = call(takes(issuer, bearer()));
    ASSERT_FALSE(status.has_value());
    EXPECT_TRUE(status.error().message.contains("PKCE"));
  }
  EXPECT_EQ(fetch.count("GET", "https://as.example/authorize"), 0U);
}

TEST_F(AuthorizationTest, RefusesAnAnswerOfAnotherIssuer) {
  for (const char* extra : {"&iss=https://evil.example", "&iss=https://as.example/", ""}) {
    issuer.answer_extra = extra;
    issuer.metadata.set("authorization_response_iss_parameter_supported", true);
    EXPECT_FALSE(call(takes(issuer, bearer())).has_value()) << extra;
  }
  EXPECT_EQ(issuer.tokens, 0);
  issuer.answer_extra = "&iss=https://as.example";
  EXPECT_EQ(call(takes(issuer, bearer())), 200);
}

TEST_F(AuthorizationTest, RefreshesBeforeTheTokenExpires) {
  issuer.token_extra = json::Value::object({{"expires_in", 60}, {"refresh_token", "r-1"}});
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  loop->advance(29s);
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(issuer.tokens, 1);
  loop->advance(2s);
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(issuer.tokens, 2);
  const Parameters form = fetch.last_form("https://as.example/token");
  EXPECT_EQ(*find(form, "grant_type"), "refresh_token");
  EXPECT_EQ(*find(form, "refresh_token"), "r-1");
  EXPECT_EQ(*find(form, "resource"), kServer);
  EXPECT_EQ(fetch.count("GET", "https://as.example/authorize"), 1U);
}

TEST_F(AuthorizationTest, RefreshesATokenThatTheServerNoLongerTakes) {
  issuer.token_extra = json::Value::object({{"refresh_token", "r-1"}});
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  issuer.last_token = "another";
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(fetch.count("GET", "https://as.example/authorize"), 1U);
  EXPECT_EQ(issuer.tokens, 2);
}

TEST_F(AuthorizationTest, AsksThePersonAgainWhenRefreshingIsRefused) {
  issuer.token_extra = json::Value::object({{"expires_in", 60}, {"refresh_token", "r-1"}});
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  issuer.refuse_refresh = true;
  loop->advance(2min);
  EXPECT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(fetch.count("GET", "https://as.example/authorize"), 2U);
}

TEST_F(AuthorizationTest, UsesTheOldTokenWhileItLastsWhenTheIssuerIsAway) {
  issuer.token_extra = json::Value::object({{"expires_in", 60}, {"refresh_token", "r-1"}});
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  fetch.on("POST", "https://as.example/token", "", 503);
  loop->advance(45s);
  EXPECT_EQ(call(takes(issuer, bearer())), 200);
  loop->advance(45s);
  EXPECT_EQ(call(takes(issuer, bearer())).error().kind, ErrorKind::unavailable);
}

TEST_F(AuthorizationTest, RegistersAnewWhereTheServerMovesAndShowsNothingOld) {
  issuer.token_extra = json::Value::object({{"refresh_token", "r-1"}});
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  FakeIssuer next(fetch, "https://next.example");
  publish(R"(["https://next.example"])");
  const std::size_t before = fetch.requests.size();
  ASSERT_EQ(call(takes(next, bearer())), 200);
  EXPECT_EQ(fetch.count("POST", "https://next.example/register"), 1U);
  EXPECT_EQ(*find(next.last_authorization, "client_id"), "client-of-https://next.example");
  for (std::size_t i = before; i < fetch.requests.size(); ++i) {
    EXPECT_FALSE(fetch.requests[i].body.contains("r-1"));
    EXPECT_FALSE(fetch.requests[i].url.contains("https://as.example"));
  }
  publish(R"(["https://as.example"])");
  issuer.last_token = "another";
  ASSERT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(fetch.count("POST", "https://as.example/register"), 1U);  // is still known there
}

TEST_F(AuthorizationTest, RunsOneFlowForAllRequestsThatWait) {
  std::vector<Task<Result<int>>> tasks;
  const Server server = takes(issuer, bearer());
  // The answer of the network takes a while, and all requests meet the refusal before.
  fetch.delay = [this]() -> Task<void> { co_await runtime::sleep(*loop, 10ms); };
  for (int i = 0; i < 50; ++i) {
    tasks.push_back(send(server));
    tasks.back().start();
  }
  loop->run();
  for (Task<Result<int>>& task : tasks) EXPECT_EQ(task.take(), 200);
  EXPECT_EQ(issuer.tokens, 1);
}

TEST_F(AuthorizationTest, GoesOnWhenTheRequestThatRunsTheFlowIsCancelled) {
  const Server server = takes(issuer, bearer());
  fetch.delay = [this]() -> Task<void> { co_await runtime::sleep(*loop, 10ms); };
  Task<Result<int>> first = send(server);
  first.start();
  Task<Result<int>> second = send(server);
  second.start();
  loop->advance(25ms);
  first = Task<Result<int>>();
  loop->run();
  EXPECT_EQ(second.take(), 200);
}

TEST_F(AuthorizationTest, UsesItsMetadataDocumentWhereTheIssuerTakesOne) {
  CodeGrantOptions options;
  options.metadata_document = "https://squall.example/client.json";
  CodeGrant with_document(*loop, fetch, store, redirector, options);
  issuer.metadata.set("client_id_metadata_document_supported", true);
  authorization =
      std::make_unique<Authorization>(*loop, fetch, store, with_document, std::string(kServer));
  EXPECT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(*find(issuer.last_authorization, "client_id"), "https://squall.example/client.json");
  EXPECT_EQ(fetch.count("POST", "https://as.example/register"), 0U);
}

TEST_F(AuthorizationTest, UsesTheAccountSetUpByHandAtItsIssuerAlone) {
  CodeGrantOptions options;
  options.accounts.push_back({"https://hand.example", Account()});
  options.accounts.back().account.id = "by-hand";
  CodeGrant by_hand(*loop, fetch, store, redirector, options);
  authorization =
      std::make_unique<Authorization>(*loop, fetch, store, by_hand, std::string(kServer));
  EXPECT_EQ(call(takes(issuer, bearer())), 200);
  EXPECT_EQ(*find(issuer.last_authorization, "client_id"), "client-of-https://as.example");
  FakeIssuer hand(fetch, "https://hand.example");
  publish(R"(["https://as.example","https://hand.example"])");
  EXPECT_EQ(call(takes(hand, bearer())), 200);
  EXPECT_EQ(*find(hand.last_authorization, "client_id"), "by-hand");
}

TEST_F(AuthorizationTest, SaysWhatIsMissingWhereNobodyCanRegister) {
  issuer.metadata.erase("registration_endpoint");
  const Result<int> status = call(takes(issuer, bearer()));
  ASSERT_FALSE(status.has_value());
  EXPECT_TRUE(status.error().message.contains("client id"));
}

TEST_F(AuthorizationTest, BindsTokensToAKeyWhereTheServerAsksForIt) {
  issuer.metadata.set("dpop_signing_alg_values_supported", json::Value::array({"ES256"}));
  issuer.token_extra = json::Value::object({{"token_type", "DPoP"}});
  const std::string challenge = "DPoP resource_metadata=\"" + std::string(kResourceMetadata) + "\"";
  const Server server = [&](const Headers& headers) -> Answer {
    const std::string* proof = find_header(headers, "DPoP");
    if (proof == nullptr) return deny(401, challenge);
    const std::size_t from = proof->find('.') + 1;
    const auto text = base::base64url_decode(proof->substr(from, proof->rfind('.') - from));
    const json::Value claims = json::parse(text.value()).value();
    EXPECT_EQ(*claims.find_string("ath"), sha256_text(issuer.last_token));
    if (claims.find_string("nonce") == "n-1") return {};
    Answer answer = deny(401, challenge + ", error=\"use_dpop_nonce\"");
    answer.headers.emplace_back("DPoP-Nonce", "n-1");
    return answer;
  };
  EXPECT_EQ(call(server), 200);
  EXPECT_EQ(last_authorization(), "DPoP token-1");
  EXPECT_NE(*find_header(sent[1], "DPoP"), *find_header(sent[2], "DPoP"));
  EXPECT_NE(find(issuer.last_authorization, "dpop_jkt"), nullptr);
  restart();  // the key comes back from the store
  EXPECT_EQ(call(server), 200);
  EXPECT_EQ(issuer.tokens, 1);
}

TEST_F(AuthorizationTest, NotesNoncesOfOtherAnswers) {
  issuer.metadata.set("dpop_signing_alg_values_supported", json::Value::array({"ES256"}));
  issuer.token_extra = json::Value::object({{"token_type", "DPoP"}});
  const Server server = [](const Headers& headers) -> Answer {
    return find_header(headers, "DPoP") ? Answer() : deny(401, "DPoP");
  };
  ASSERT_EQ(call(server), 200);
  authorization->note(kServer, {{"DPoP-Nonce", "n-9"}});
  ASSERT_EQ(call(server), 200);
  const std::string* proof = find_header(sent.back(), "DPoP");
  const std::size_t from = proof->find('.') + 1;
  const auto text = base::base64url_decode(proof->substr(from, proof->rfind('.') - from));
  EXPECT_TRUE(text->contains(R"("nonce":"n-9")"));
}

TEST_F(AuthorizationTest, ReportsAStoreThatCannotBeRead) {
  class BrokenStore final : public Store {
   public:
    Result<std::optional<StoredClient>> client(const std::string&) override { return broken(); }
    Result<std::optional<StoredToken>> token(const std::string&) override { return broken(); }
    Result<void> keep_client(const std::string&, const std::optional<StoredClient>&) override {
      return broken();
    }
    Result<void> keep_token(const std::string&, const std::optional<StoredToken>&) override {
      return broken();
    }

   private:
    static std::unexpected<Error> broken() { return fail(ErrorKind::unavailable, "no disk"); }
  };
  BrokenStore broken;
  Authorization with_broken(*loop, fetch, broken, grant, kServer);
  const std::string url = kServer;
  EXPECT_EQ(finish(*loop, with_broken.headers("POST", url)).error().message, "no disk");
}

}  // namespace
}  // namespace squall::auth
