#include "squall/auth/metadata.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

using Urls = std::vector<std::string>;

TEST(ResourceMetadata, KeepsTheResourceAsPublished) {
  const auto metadata = parse_resource_metadata(
      R"({"resource":"https://H.example/mcp","authorization_servers":["https://as.example/t1"],
          "scopes_supported":["a","b"],"dpop_bound_access_tokens_required":true,"more":{}})",
      "https://h.example/mcp?x=1");
  ASSERT_TRUE(metadata.has_value()) << metadata.error().message;
  EXPECT_EQ(metadata->resource, "https://H.example/mcp");
  EXPECT_EQ(metadata->authorization_servers, Urls{"https://as.example/t1"});
  EXPECT_EQ(metadata->scopes_supported, (Scopes{"a", "b"}));
  EXPECT_TRUE(metadata->dpop_required);
}

TEST(ResourceMetadata, RefusesAnotherServersAndUnsoundDocuments) {
  const std::string_view servers = R"("authorization_servers":["https://as.example"])";
  const std::string resource = R"("resource":"https://h.example/mcp",)";
  for (const std::string& text :
       {"{\"resource\":\"https://evil.example/mcp\"," + std::string(servers) + "}",
        "{" + std::string(servers) + "}", "{" + resource + "\"authorization_servers\":[]}",
        "{" + resource + "\"authorization_servers\":\"https://as.example\"}",
        "{" + resource + "\"authorization_servers\":[\"http://as.example\"]}",
        "{" + resource + "\"authorization_servers\":[\"http://localhost:1\"]}",
        "{" + resource + "\"authorization_servers\":[\"https://as.example/?x\"]}",
        "{" + resource + "\"authorization_servers\":[7]}", "{" + resource + "}", std::string("[]"),
        std::string("<html>"), std::string()}) {
    EXPECT_FALSE(parse_resource_metadata(text, "https://h.example/mcp").has_value()) << text;
  }
}

TEST(ServerMetadata, ReadsWhatTheFlowNeeds) {
  const auto metadata = parse_server_metadata(
      R"({"issuer":"http://localhost:9/t","authorization_endpoint":"http://localhost:9/a?p=1",
          "token_endpoint":"http://localhost:9/t","scopes_supported":["x"],
          "code_challenge_methods_supported":["S256"],
          "token_endpoint_auth_methods_supported":["none"],
          "dpop_signing_alg_values_supported":["ES256"],"registration_endpoint":null,
          "authorization_response_iss_parameter_supported":true,
          "client_id_metadata_document_supported":true})",
      "http://localhost:9/t", Reach::loopback);
  ASSERT_TRUE(metadata.has_value()) << metadata.error().message;
  EXPECT_EQ(metadata->authorization_endpoint, "http://localhost:9/a?p=1");
  EXPECT_EQ(metadata->registration_endpoint, "");
  EXPECT_EQ(metadata->code_challenge_methods, Urls{"S256"});
  EXPECT_EQ(*metadata->token_auth_methods, Urls{"none"});
  EXPECT_EQ(metadata->dpop_algorithms, Urls{"ES256"});
  EXPECT_TRUE(metadata->sends_issuer);
  EXPECT_TRUE(metadata->takes_metadata_documents);
}

TEST(ServerMetadata, ComparesTheIssuerCharacterByCharacter) {
  for (const std::string_view issuer : {"https://as.example/", "https://AS.example",
                                        "https://as.example:443", "http://as.example"}) {
    const std::string text =
        R"({"issuer":")" + std::string(issuer) + R"(","token_endpoint":"https://as.example/t"})";
    const auto metadata = parse_server_metadata(text, "https://as.example", Reach::https);
    ASSERT_FALSE(metadata.has_value()) << issuer;
    EXPECT_NE(metadata.error().message.find("issuer"), std::string::npos);
  }
}

TEST(ServerMetadata, RefusesEndpointsOutOfReachAndUnsoundMembers) {
  for (const std::string_view rest :
       {R"("token_endpoint":"http://as.example/t")", R"("token_endpoint":"http://localhost/t")",
        R"("token_endpoint":7)", R"("x":1)",
        R"("token_endpoint":"https://h/t","authorization_endpoint":"javascript:x")",
        R"("token_endpoint":"https://h/t","scopes_supported":{})",
        R"("token_endpoint":"https://h/t","token_endpoint":"https://h/u")"}) {
    const std::string text = R"({"issuer":"https://h",)" + std::string(rest) + "}";
    EXPECT_FALSE(parse_server_metadata(text, "https://h", Reach::https).has_value()) << text;
  }
}

TEST(ServerMetadata, HasLimits) {
  const std::string head = R"({"issuer":"https://h","token_endpoint":"https://h/t",)";
  std::string list = R"("scopes_supported":[)";
  for (std::size_t i = 0; i < kDocumentListMax; ++i) list += "\"s\",";
  const std::string long_text(kDocumentTextMax + 1, 'a');
  for (const std::string& text :
       {head + list + "\"s\"]}", head + R"("registration_endpoint":")" + long_text + "\"}",
        head + R"("x":")" + std::string(kDocumentBytesMax, 'a') + "\"}"}) {
    const auto metadata = parse_server_metadata(text, "https://h", Reach::https);
    ASSERT_FALSE(metadata.has_value());
    EXPECT_EQ(metadata.error().kind, ErrorKind::limit) << metadata.error().message;
  }
}

TEST(MetadataUrls, GoFromThePathToTheRoot) {
  EXPECT_EQ(resource_metadata_urls("https://h/a/mcp?x"),
            (Urls{"https://h/.well-known/oauth-protected-resource/a/mcp",
                  "https://h/.well-known/oauth-protected-resource"}));
  EXPECT_EQ(resource_metadata_urls("https://h:8443/"),
            (Urls{"https://h:8443/.well-known/oauth-protected-resource"}));
  EXPECT_EQ(server_metadata_urls("https://as/t1/"),
            (Urls{"https://as/.well-known/oauth-authorization-server/t1",
                  "https://as/.well-known/openid-configuration/t1",
                  "https://as/t1/.well-known/openid-configuration"}));
  EXPECT_EQ(server_metadata_urls("https://as"),
            (Urls{"https://as/.well-known/oauth-authorization-server",
                  "https://as/.well-known/openid-configuration"}));
  EXPECT_FALSE(server_metadata_urls("as.example").has_value());
}

TEST(AssumedMetadata, PutsTheEndpointsBesideTheServer) {
  const auto metadata = assumed_metadata("http://localhost:7/mcp");
  ASSERT_TRUE(metadata.has_value());
  EXPECT_EQ(metadata->issuer, "http://localhost:7");
  EXPECT_EQ(metadata->authorization_endpoint, "http://localhost:7/authorize");
  EXPECT_EQ(metadata->token_endpoint, "http://localhost:7/token");
  EXPECT_EQ(metadata->registration_endpoint, "http://localhost:7/register");
  EXPECT_FALSE(metadata->sends_issuer);
}

}  // namespace
}  // namespace squall::auth
