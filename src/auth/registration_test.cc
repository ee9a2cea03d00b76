#include "squall/auth/registration.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::auth {
namespace {

constexpr const char* kBack = "http://127.0.0.1:4000/callback";

json::Value request_for(const std::optional<std::vector<std::string>>& methods) {
  ServerMetadata server;
  server.token_auth_methods = methods;
  return json::parse(registration_request("Squall", kBack, server)).value();
}

TEST(RegistrationRequest, DescribesANativeApplication) {
  const json::Value request = request_for(std::vector<std::string>{"none"});
  EXPECT_EQ(*request.find_string("application_type"), "native");
  EXPECT_EQ(*request.find_string("client_name"), "Squall");
  EXPECT_EQ(*request.find("redirect_uris"), json::Value::array({kBack}));
  EXPECT_EQ(*request.find("grant_types"),
            json::Value::array({"authorization_code", "refresh_token"}));
}

TEST(RegistrationRequest, WantsAnAuthenticationThatTheServerTakes) {
  const auto wanted = [](const std::optional<std::vector<std::string>>& methods) {
    return std::string(*request_for(methods).find_string("token_endpoint_auth_method"));
  };
  EXPECT_EQ(wanted(std::vector<std::string>{"client_secret_basic", "none"}), "none");
  EXPECT_EQ(wanted(std::vector<std::string>{"client_secret_post"}), "client_secret_post");
  EXPECT_EQ(wanted(std::nullopt), "client_secret_basic");
  EXPECT_EQ(wanted(std::vector<std::string>{"tls_client_auth"}), "none");
}

TEST(ParseRegistration, GivesTheClient) {
  const auto client = parse_registration(
      {201, {}, R"({"client_id":"c","client_secret":"s","client_secret_expires_at":1900000000,
                    "token_endpoint_auth_method":"client_secret_post"})"},
      kBack);
  ASSERT_TRUE(client.has_value());
  EXPECT_EQ(client->id, "c");
  EXPECT_EQ(client->secret.reveal(), "s");
  EXPECT_EQ(client->method, ClientAuth::client_secret_post);
  EXPECT_EQ(client->redirect_uri, kBack);
  EXPECT_EQ(client->expires, WallTime(std::chrono::seconds(1'900'000'000)));
}

TEST(ParseRegistration, TakesZeroForNever) {
  const auto client =
      parse_registration({200, {}, R"({"client_id":"c","client_secret_expires_at":0})"}, kBack);
  ASSERT_TRUE(client.has_value());
  EXPECT_FALSE(client->expires.has_value());
  EXPECT_TRUE(client->secret.empty());
}

TEST(ParseRegistration, RefusesUnsoundAnswers) {
  const std::string long_text(5000, 'a');
  for (const std::string& body :
       {std::string("<html>"), std::string("{}"), std::string(R"({"client_id":7})"),
        R"({"client_id":")" + long_text + "\"}",
        std::string(R"({"client_id":"c","token_endpoint_auth_method":"tls_client_auth"})")}) {
    EXPECT_FALSE(parse_registration({201, {}, body}, kBack).has_value()) << body.substr(0, 50);
  }
}

TEST(ParseRegistration, TellsWhyTheServerRefused) {
  const auto client = parse_registration({400, {}, R"({"error":"invalid_redirect_uri"})"}, kBack);
  EXPECT_EQ(client.error().message,
            "the registration was answered with status 400: invalid_redirect_uri");
  EXPECT_EQ(parse_registration({503, {}, ""}, kBack).error().kind, ErrorKind::unavailable);
}

}  // namespace
}  // namespace squall::auth
