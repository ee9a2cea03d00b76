#include "serve_rules.h"

#include <gtest/gtest.h>

namespace squall::cli {
namespace {

TEST(CheckHost, AcceptsNamesAndAddresses) {
  for (const char* host : {"localhost", "127.0.0.1", "a-b.example", "::1", "fe80::1", "x"}) {
    EXPECT_EQ(check_host(host), "") << host;
  }
  EXPECT_EQ(check_host(std::string(253, 'a')), "");
}

TEST(CheckHost, RefusesPortsBracketsAndNonsense) {
  for (const char* host : {"", "localhost:80", "[::1]", "-a", "a-", ".", "a b", "a/b", "a\nb",
                           "user@host", "::1%lo"}) {
    EXPECT_NE(check_host(host), "") << host;
  }
  EXPECT_NE(check_host(std::string(254, 'a')), "");
}

TEST(CheckPath, WantsAPathAlone) {
  EXPECT_EQ(check_path("/"), "");
  EXPECT_EQ(check_path("/mcp/v1"), "");
  EXPECT_EQ(check_path("/" + std::string(1023, 'a')), "");
  for (const std::string& path : {std::string("mcp"), std::string(), std::string("/a?b"),
                                  std::string("/a#b"), std::string("/a b"), std::string("/a\r\n"),
                                  std::string("/healthz"), "/" + std::string(1024, 'a')}) {
    EXPECT_NE(check_path(path), "") << path;
  }
}

TEST(CheckAllowedHost, WantsWhatAHostHeaderMaySay) {
  for (const char* host : {"mcp.example", "mcp.example:8080", "192.0.2.1", "[2001:db8::1]:80"}) {
    EXPECT_EQ(check_allowed_host(host), "") << host;
  }
  for (const char* host : {"", "a b", "https://a", "2001:db8::1", "*", "*.example", "a:0x1",
                           "a:65536", "a/b", "a@b", "[a]", "a..b", "1.2.3.4.5"}) {
    EXPECT_NE(check_allowed_host(host), "") << host;
  }
  EXPECT_NE(check_allowed_host(std::string(1025, 'a')), "");
}

TEST(CheckAllowedOrigin, WantsAnOrigin) {
  EXPECT_EQ(check_allowed_origin("https://example.com:8443"), "");
  for (const char* origin : {"", "example.com", "https://a b", "https://a/b", "https://a/", "*",
                             "https://*", "https://*.a", "://a", "null", "https://a:99999",
                             "ht tp://a", "https://a?b", "https://a#b", "https://u@a"}) {
    EXPECT_NE(check_allowed_origin(origin), "") << origin;
  }
}

TEST(IsWildcard, SeesEverySpelling) {
  for (const char* host : {"0.0.0.0", "0", "0.0", "00.0.0.0", "0x0", "0X0.0", "::", "::0",
                           "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0", "::FFFF:0:0", "0::0.0.0.0"}) {
    EXPECT_TRUE(is_wildcard(host)) << host;
  }
  for (const char* host : {"127.0.0.1", "::1", "localhost", "0.example", "0x", "x0", "10.0.0.0",
                           "::ffff:127.0.0.1", "0.0.0.1"}) {
    EXPECT_FALSE(is_wildcard(host)) << host;
  }
}

TEST(CheckTogether, OpensEveryInterfaceOnlyWithAnAllowList) {
  ServeCommand serve;
  serve.http = true;
  serve.http_options.host = "0.0.0.0";
  EXPECT_FALSE(check_together(serve).has_value());
  serve.http_options.allow_hosts.push_back("mcp.example");
  EXPECT_TRUE(check_together(serve).has_value());
}

TEST(CheckTogether, WantsACertificateWithItsKey) {
  ServeCommand serve;
  serve.http = true;
  serve.http_options.tls_certificate = "c.pem";
  EXPECT_FALSE(check_together(serve).has_value());
  serve.http_options.tls_key = "k.pem";
  EXPECT_TRUE(check_together(serve).has_value());
  serve.http_options.tls_certificate = "";
  EXPECT_FALSE(check_together(serve).has_value());
}

TEST(CheckDuration, KeepsTimesWithinADay) {
  for (const char* good : {"1ms", "1.5s", "2m", "1440m"}) EXPECT_EQ(check_duration(good), "");
  for (const char* bad : {"", "5", "0s", "0.5ms", "1441m", "1h", "-1s"}) {
    EXPECT_NE(check_duration(bad), "") << bad;
  }
}

TEST(CheckSize, KeepsSizesWithinAGibibyte) {
  for (const char* good : {"1b", "64kb", "4mib", "1024mib"}) EXPECT_EQ(check_size(good), "");
  for (const char* bad : {"", "5", "0b", "1025mib", "1gib"}) EXPECT_NE(check_size(bad), "") << bad;
}

TEST(Rules, ToolsAreNamed) {
  for (const char* good : {"fault", "examples", "fault,examples", "examples,fault"}) {
    EXPECT_EQ(check_tools(good), "") << good;
  }
  for (const char* wrong : {"", "all", "fault,", "fault, examples", "fault,fault"}) {
    EXPECT_NE(check_tools(wrong), "") << wrong;
  }
}

}  // namespace
}  // namespace squall::cli
