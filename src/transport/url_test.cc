#include "squall/transport/url.h"

#include <gtest/gtest.h>

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

TEST(Url, LeavesOutThePortThatItsSchemeImplies) {
  EXPECT_EQ(Url::parse("https://h:443/x")->origin(), "https://h");
  EXPECT_EQ(Url::parse("https://h:80")->origin(), "https://h:80");
  EXPECT_EQ(Url::parse("http://[::1]/")->host_and_port(), "[::1]");
  EXPECT_EQ(Url::parse("http://[::1]:81/")->origin(), "http://[::1]:81");
}

TEST(Url, ResolvesReferencesAsTheStandardDoes) {
  // RFC 3986 section 5.4, as far as it is about http.
  const auto page = Url::parse("http://a/b/c/d;p?q");
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"g", "/b/c/g"},
      {"./g", "/b/c/g"},
      {"g/", "/b/c/g/"},
      {"/g", "/g"},
      {"?y", "/b/c/d;p?y"},
      {"g?y", "/b/c/g?y"},
      {"#s", "/b/c/d;p?q"},
      {"g#s", "/b/c/g"},
      {"", "/b/c/d;p?q"},
      {".", "/b/c/"},
      {"./", "/b/c/"},
      {"..", "/b/"},
      {"../g", "/b/g"},
      {"../..", "/"},
      {"../../g", "/g"},
      {"../../../g", "/g"},
      {"/./g", "/g"},
      {"/../g", "/g"},
      {"g.", "/b/c/g."},
      {"..g", "/b/c/..g"},
      {"./../g", "/b/g"},
      {"g;x=1/../y", "/b/c/y"},
      {"g?y/./x", "/b/c/g?y/./x"},
      {"/a/b/../?x=..", "/a/?x=.."},
  };
  for (const auto& [reference, target] : cases) {
    const auto url = page->resolve(reference);
    ASSERT_TRUE(url) << reference;
    EXPECT_EQ(url->target, target) << reference;
    EXPECT_EQ(url->origin(), "http://a") << reference;
  }
  EXPECT_EQ(page->resolve("//other:81/x")->origin(), "http://other:81");
  EXPECT_EQ(page->resolve("HTTPS://A/x")->origin(), "https://a");
  EXPECT_EQ(page->resolve("x:1/y").has_value(), false);
  EXPECT_EQ(page->resolve("javascript:alert(1)").has_value(), false);
  EXPECT_EQ(page->resolve("//user@a/").has_value(), false);
  EXPECT_EQ(page->resolve("/a b").has_value(), false);
  EXPECT_EQ(page->resolve("/a\r\nX: y").has_value(), false);
}

}  // namespace
}  // namespace squall::transport
