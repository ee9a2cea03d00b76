#include <gtest/gtest.h>

#include "squall/transport/http_client.h"

namespace squall::transport {
namespace {

TEST(Url, IsTakenApart) {
  const auto url = Url::parse("HTTP://Example.com:8080/mcp?x=1&y=%20");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "http");
  EXPECT_EQ(url->host, "example.com");
  EXPECT_EQ(url->port, 8080);
  EXPECT_EQ(url->target, "/mcp?x=1&y=%20");
  EXPECT_EQ(url->authority(), "example.com:8080");
}

TEST(Url, HasDefaults) {
  EXPECT_EQ(Url::parse("http://h")->port, 80);
  EXPECT_EQ(Url::parse("https://h")->port, 443);
  EXPECT_EQ(Url::parse("http://h")->target, "/");
  EXPECT_EQ(Url::parse("http://h?q")->target, "/?q");
}

TEST(Url, TakesIpv6InBrackets) {
  const auto url = Url::parse("http://[::FFFF:127.0.0.1]:81/");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::ffff:127.0.0.1");
  EXPECT_EQ(url->authority(), "[::ffff:127.0.0.1]:81");
  EXPECT_EQ(Url::parse("http://[::1]")->port, 80);
}

TEST(Url, RefusesWhatIsNone) {
  for (const char* bad : {"",
                          "h",
                          "h:80",
                          "//h",
                          "ftp://h",
                          "http:/h",
                          "http://",
                          "http:///p",
                          "http://:80",
                          "http://u@h",
                          "http://u:p@h",
                          "http://h:",
                          "http://h:0",
                          "http://h:65536",
                          "http://h:-1",
                          "http://h:+1",
                          "http://h:8x",
                          "http://h:000080",
                          "http://h /",
                          "http://h/\n",
                          "http://h/é",
                          "http://h/#f",
                          "http://[::1",
                          "http://[]",
                          "http://[12]",
                          "http://[fe80::1%25eth0]/",
                          "http://[::1]x",
                          "http://::1/",
                          "http://a b",
                          "http://h%41"}) {
    const auto url = Url::parse(bad);
    ASSERT_FALSE(url) << bad;
    EXPECT_EQ(url.error().kind, ErrorKind::invalid) << bad;
  }
}

}  // namespace
}  // namespace squall::transport
