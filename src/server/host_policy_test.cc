#include "squall/server/host_policy.h"

#include <gtest/gtest.h>

namespace squall::server {
namespace {

TEST(Authority, IsNormalised) {
  EXPECT_EQ(Authority::parse("LocalHost.:3000")->host, "localhost");
  EXPECT_EQ(Authority::parse("LocalHost.:3000")->port, "3000");
  EXPECT_EQ(Authority::parse("[0:0:0:0:0:0:0:1]")->host, "::1");
  EXPECT_EQ(Authority::parse("[::ffff:127.0.0.1]:80")->host, "127.0.0.1");
  for (const std::string_view text : {"127.1", "0x7f.1", "0X7F000001", "2130706433", "017700000001",
                                      "127.0.0.1.", "0177.0.0x0.1"}) {
    EXPECT_EQ(Authority::parse(text)->host, "127.0.0.1") << text;
  }
  EXPECT_EQ(Authority::parse("1.2.3.4.example")->host, "1.2.3.4.example");
}

TEST(Authority, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", " localhost", "local host", "a@localhost", "localhost/x", "localhost:80:80",
        "localhost:port", "localhost:123456", "[::1", "[::1]x", "[localhost]", "::1", ".",
        "localhost..", "a..b", ".localhost", "256.0.0.1", "1.2.3.4.5", "4294967296", "0x",
        "127.0.0.09", "evil.example.1"}) {
    EXPECT_FALSE(Authority::parse(text)) << text;
  }
  EXPECT_FALSE(Authority::parse("localhost:65536"));
  EXPECT_FALSE(Authority::parse("*"));
  EXPECT_FALSE(Authority::parse(std::string(300, 'a')));
}

TEST(Authority, RefusesNumbersThatAreNoAddress) {
  for (const std::string_view text :
       {"256.0.0.1", "127.256.1", "127.0.0.0.1", "1.2.3.4.5", "1.16777216", "4294967296",
        "99999999999999999999", "08", "a.1", "0x7g.1", "127..1", "x.0x"}) {
    EXPECT_FALSE(Authority::parse(text)) << text;
  }
}

TEST(Authority, ReadsAddressesAsBrowsersDo) {
  for (const std::string_view text :
       {"127.0.0.1", "127.1", "127.0.1", "127.000.000.001", "0177.1", "0x7f.1", "0x7F.0x0.0.01",
        "2130706433", "0x7f000001", "017700000001", "127.1."}) {
    EXPECT_EQ(Authority::parse(text)->host, "127.0.0.1") << text;
  }
  EXPECT_EQ(Authority::parse("4294967295")->host, "255.255.255.255");
  EXPECT_EQ(Authority::parse("1.16777215")->host, "1.255.255.255");
  EXPECT_EQ(Authority::parse("0")->host, "0.0.0.0");
  EXPECT_EQ(Authority::parse("1.example")->host, "1.example");
  EXPECT_EQ(Authority::parse("1.0xg")->host, "1.0xg");
}

TEST(HostPolicy, LetsLoopbackInByEveryName) {
  const HostPolicy policy({}, {});
  for (const std::string_view host :
       {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "127.8.9.1", "[::1]:3000", "localhost.",
        "127.1", "127.1:80", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.65535",
        "[0::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"}) {
    EXPECT_TRUE(policy.allows_host(host)) << host;
  }
}

TEST(HostPolicy, KeepsOthersOut) {
  const HostPolicy policy({}, {});
  for (const std::string_view host :
       {"evil.example.com", "localhost.evil.example.com", "127.0.0.1.evil.example.com", "0.0.0.0",
        "128.0.0.1", "[::2]", "128.1", "0x80.1", "2147483648", "0200.0.0.1", "0", "127.1.evil",
        "127.1.evil.example.com", "[::ffff:128.0.0.1]", "[::127.0.0.1]", ""}) {
    EXPECT_FALSE(policy.allows_host(host)) << host;
  }
}

TEST(HostPolicy, AllowsWhatIsListedWithOrWithoutItsPort) {
  const HostPolicy policy({"mcp.example.com", "Other.example.com:8443"}, {});
  EXPECT_TRUE(policy.allows_host("MCP.example.com:9"));
  EXPECT_TRUE(policy.allows_host("other.example.com:8443"));
  EXPECT_FALSE(policy.allows_host("other.example.com"));
  EXPECT_FALSE(policy.allows_host("x.mcp.example.com"));
}

TEST(HostPolicy, ComparesOriginsBySchemeHostAndPort) {
  const HostPolicy policy({}, {"https://app.example.com", "http://dev.example.com:80"});
  EXPECT_TRUE(policy.allows_origin("https://app.example.com:443"));
  EXPECT_TRUE(policy.allows_origin("HTTP://dev.example.com"));
  EXPECT_TRUE(policy.allows_origin("http://localhost:5173"));
  EXPECT_TRUE(policy.allows_origin("http://[::1]:5173"));
  for (const std::string_view origin :
       {"http://app.example.com", "https://app.example.com:8443", "null", "", "app.example.com",
        "https://app.example.com.evil.example.com", "https://app.example.com/x"}) {
    EXPECT_FALSE(policy.allows_origin(origin)) << origin;
  }
}

TEST(HostPolicy, AnUnreadableAllowedOriginAllowsNothing) {
  const HostPolicy policy({}, {"nonsense"});
  EXPECT_FALSE(policy.allows_origin("nonsense"));
  EXPECT_FALSE(policy.allows_origin(""));
  EXPECT_FALSE(policy.allows_origin("://localhost"));
}

}  // namespace
}  // namespace squall::server
