#include "squall/auth/address.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

TEST(CheckUrl, LetsServersElsewhereNameHttpsAlone) {
  EXPECT_EQ(reach_of("https://mcp.example/mcp"), Reach::https);
  EXPECT_TRUE(check_url("https://as.example/token", Reach::https, "it").has_value());
  for (const std::string_view url :
       {"http://as.example/token", "http://localhost/token", "http://127.0.0.1:9/x"}) {
    EXPECT_FALSE(check_url(url, Reach::https, "it").has_value()) << url;
  }
}

TEST(CheckUrl, LetsServersOnThisMachineNameThisMachine) {
  EXPECT_EQ(reach_of("http://localhost:3000/mcp"), Reach::loopback);
  EXPECT_EQ(reach_of("http://[::1]:3000/mcp"), Reach::loopback);
  for (const std::string_view url :
       {"http://localhost:1/x", "http://127.9.9.9/x", "http://[::1]/x", "https://as.example"}) {
    EXPECT_TRUE(check_url(url, Reach::loopback, "it").has_value()) << url;
  }
  for (const std::string_view url : {"http://127.0.0.1.evil.example/", "http://localhost.evil/",
                                     "http://127.1/", "http://10.0.0.1/", "ftp://localhost/"}) {
    EXPECT_FALSE(check_url(url, Reach::loopback, "it").has_value()) << url;
  }
}

TEST(CheckUrl, RefusesUserNamesFragmentsAndLength) {
  for (const std::string& url : {std::string("https://a@as.example/"), std::string("https://h/#x"),
                                 std::string("/token"), "https://h/" + std::string(5000, 'a')}) {
    EXPECT_FALSE(check_url(url, Reach::https, "it").has_value()) << url.substr(0, 40);
  }
}

TEST(CanonicalResource, HasNoQueryAndNoSlashForAMereHost) {
  EXPECT_EQ(canonical_resource("HTTPS://MCP.Example:443/"), "https://mcp.example");
  EXPECT_EQ(canonical_resource("http://localhost:80/Mcp/?x=1"), "http://localhost/Mcp/");
  EXPECT_EQ(canonical_resource("http://[::1]:8080/mcp"), "http://[::1]:8080/mcp");
}

TEST(Covers, TakesTheServerAndItsParentsOfTheSameOrigin) {
  for (const std::string_view resource : {"https://h/a/b", "https://h/a/", "https://h/a",
                                          "https://h", "https://h:443/", "https://h/a/b/"}) {
    EXPECT_TRUE(covers(resource, "https://H/a/b?q")) << resource;
  }
  for (const std::string_view resource :
       {"https://evil.example/a/b", "http://h/a/b", "https://h:8443/a/b", "https://h/a/bc",
        "https://h/a/b/c", "https://h/A/b", "nonsense"}) {
    EXPECT_FALSE(covers(resource, "https://h/a/b")) << resource;
  }
}

}  // namespace
}  // namespace squall::auth
