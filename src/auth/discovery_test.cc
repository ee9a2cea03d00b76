#include "discovery.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "script_fetch.h"

namespace squall::auth {
namespace {

using test::finish;

constexpr const char* kServer = "https://mcp.example/mcp";
constexpr const char* kWellKnown = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
constexpr const char* kDocument =
    R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example/t"]})";

class DiscoveryTest : public testing::Test {
 protected:
  auto find_resource(const std::string& named) {
    return finish(*loop, discovery.find_resource(named));
  }
  auto find_server(bool assume) {
    const std::string issuer = "https://as.example/t";
    return finish(*loop, discovery.find_server(issuer, assume));
  }
  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  Discovery discovery{fetch, kServer};
};

TEST_F(DiscoveryTest, GoesWhereTheChallengeLeadsAndNowhereElse) {
  fetch.on("GET", kWellKnown, kDocument);
  EXPECT_EQ(find_resource("https://mcp.example/elsewhere").error().kind, ErrorKind::not_found);
  EXPECT_EQ(fetch.requests.size(), 1U);
  fetch.on("GET", "https://mcp.example/elsewhere", kDocument);
  EXPECT_TRUE(find_resource("https://mcp.example/elsewhere").value().has_value());
  EXPECT_FALSE(find_resource("http://localhost:22/").has_value());
  EXPECT_EQ(fetch.requests.size(), 2U);
}

TEST_F(DiscoveryTest, FindsNothingWhereServersAnswerWithPages) {
  const auto page = [](const FetchRequest&) -> Result<FetchResponse> {
    return FetchResponse{200, {{"Content-Type", "text/html; charset=utf-8"}}, "<html>"};
  };
  fetch.on("GET", kWellKnown, page);
  fetch.on("GET", "https://mcp.example/.well-known/oauth-protected-resource", page);
  EXPECT_FALSE(find_resource("").value().has_value());
}

TEST_F(DiscoveryTest, DoesNotTakeAFailureForAnAbsence) {
  fetch.on("GET", kWellKnown, "", 503);
  EXPECT_EQ(find_resource("").error().kind, ErrorKind::unavailable);
  fetch.on("GET", kWellKnown, [](const FetchRequest&) -> Result<FetchResponse> {
    return fail(ErrorKind::timeout, "no answer");
  });
  EXPECT_EQ(find_resource("").error().kind, ErrorKind::timeout);
  fetch.on("GET", kWellKnown, "{}");
  EXPECT_EQ(find_resource("").error().kind, ErrorKind::invalid);
}

TEST_F(DiscoveryTest, TriesTheIssuersPlacesInOrder) {
  EXPECT_EQ(find_server(false).error().kind, ErrorKind::not_found);
  ASSERT_EQ(fetch.requests.size(), 3U);
  EXPECT_EQ(fetch.requests[0].url, "https://as.example/.well-known/oauth-authorization-server/t");
  EXPECT_EQ(fetch.requests[1].url, "https://as.example/.well-known/openid-configuration/t");
  EXPECT_EQ(fetch.requests[2].url, "https://as.example/t/.well-known/openid-configuration");
  fetch.on("GET", "https://as.example/t/.well-known/openid-configuration",
           R"({"issuer":"https://as.example/t","token_endpoint":"https://as.example/token"})");
  EXPECT_EQ(find_server(false).value().token_endpoint, "https://as.example/token");
}

TEST_F(DiscoveryTest, AssumesEndpointsOnlyWhenToldTo) {
  EXPECT_EQ(find_server(true).value().token_endpoint, "https://as.example/token");
  fetch.on("GET", "https://as.example/.well-known/oauth-authorization-server/t", "{}");
  EXPECT_FALSE(find_server(true).has_value());
}

}  // namespace
}  // namespace squall::auth
