#include "squall/transport/proxy.h"

#include <gmock/gmock.h>

#include "squall/base/text.h"

namespace squall::transport {
namespace {

using Environment = ProxySettings::Environment;
using testing::HasSubstr;
using testing::Not;

/// The proxy's origin for `url`; "" for none.
std::string chosen(const Environment& environment, const char* url) {
  const auto settings = ProxySettings::from_environment(environment);
  EXPECT_TRUE(settings.has_value()) << settings.error().message;
  const Proxy* const proxy = settings->choose(*Url::parse(url));
  return proxy == nullptr ? "" : proxy->address.origin();
}

TEST(Proxy, IsNoneWithoutVariables) {
  EXPECT_EQ(chosen({}, "http://h"), "");
  EXPECT_EQ(chosen({{"PATH", "/bin"}}, "https://h"), "");
}

TEST(Proxy, IsChosenByTheSchemeOfTheUrl) {
  const Environment environment = {{"http_proxy", "http://one:81"}, {"https_proxy", "two:82"}};
  EXPECT_EQ(chosen(environment, "http://h"), "http://one:81");
  EXPECT_EQ(chosen(environment, "https://h"), "http://two:82");
  EXPECT_EQ(chosen({{"http_proxy", "one"}}, "https://h"), "");
}

TEST(Proxy, ReadsBothCasesButForTheOneThatStrangersCanSet) {
  EXPECT_EQ(chosen({{"HTTP_PROXY", "one"}}, "http://h"), "");
  EXPECT_EQ(chosen({{"HTTPS_PROXY", "two:2"}}, "https://h"), "http://two:2");
  EXPECT_EQ(chosen({{"ALL_PROXY", "all:3"}}, "http://h"), "http://all:3");
  EXPECT_EQ(chosen({{"https_proxy", "a:1"}, {"HTTPS_PROXY", "b:1"}}, "https://h"), "http://a:1");
}

TEST(Proxy, TakesTheOneForAllWhereNoneIsNamed) {
  const Environment environment = {{"all_proxy", "all:1"}, {"https_proxy", ""}};
  EXPECT_EQ(chosen(environment, "http://h"), "http://all:1");
  EXPECT_EQ(chosen(environment, "https://h"), "") << "an empty one switches off";
}

TEST(Proxy, HasTheDefaultPortsOfCurl) {
  EXPECT_EQ(chosen({{"all_proxy", "p"}}, "http://h"), "http://p:1080");
  EXPECT_EQ(chosen({{"all_proxy", "http://p:80"}}, "http://h"), "http://p");
  EXPECT_EQ(chosen({{"all_proxy", "HTTPS://p/ignored"}}, "http://h"), "https://p");
  EXPECT_EQ(chosen({{"all_proxy", "http://[::1]"}}, "http://h"), "http://[::1]:1080");
  EXPECT_EQ(chosen({{"all_proxy", "http://[::1]:8"}}, "http://h"), "http://[::1]:8");
}

TEST(Proxy, DecodesTheCredentials) {
  const auto authorization = [](const char* proxy) {
    const auto settings = ProxySettings::from_environment({{"http_proxy", proxy}});
    return settings->choose(*Url::parse("http://h"))->authorization;
  };
  EXPECT_EQ(authorization("http://p:1"), "");
  EXPECT_EQ(authorization("http://me:secret@p:1"), "Basic " + base::base64_encode("me:secret"));
  EXPECT_EQ(authorization("me@p"), "Basic " + base::base64_encode("me:"));
  EXPECT_EQ(authorization("http://a%40b:c%3Ad%25@p"), "Basic " + base::base64_encode("a@b:c:d%"));
  EXPECT_EQ(authorization("http://u:p/w#@p:1"), "Basic " + base::base64_encode("u:p/w#"));
}

TEST(Proxy, RefusesWhatIsNoneAndNeverPrintsIt) {
  for (const char* bad :
       {"socks5://me:hunter2@p", "http://me:hunter2@", "http://me:hunter2@p:0",
        "http://me:hunter2@p q", "http://me:hunter2%4@p", "http://me:hunter2%zz@p", "http://",
        "://hunter2", "http://me:hunter2@[::1"}) {
    const auto settings = ProxySettings::from_environment({{"https_proxy", bad}});
    ASSERT_FALSE(settings.has_value()) << bad;
    EXPECT_THAT(settings.error().message, HasSubstr("https_proxy")) << bad;
    EXPECT_THAT(settings.error().message, Not(HasSubstr("hunter2"))) << bad;
  }
}

TEST(NoProxy, NamesHostsWithAllBelowThem) {
  const Environment environment = {{"all_proxy", "p:1"},
                                   {"no_proxy", "example.com, .Other.org\tlast.net."}};
  for (const char* direct : {"http://example.com", "http://a.b.example.com:81", "http://other.org",
                             "http://x.other.org", "https://EXAMPLE.com", "http://last.net"}) {
    EXPECT_EQ(chosen(environment, direct), "") << direct;
  }
  for (const char* proxied :
       {"http://notexample.com", "http://example.com.evil.net", "http://com", "http://127.0.0.1"}) {
    EXPECT_EQ(chosen(environment, proxied), "http://p:1") << proxied;
  }
}

TEST(NoProxy, NamesAddressesAndNetworks) {
  const Environment environment = {
      {"all_proxy", "p:1"}, {"NO_PROXY", "127.0.0.1,10.0.0.0/8,192.168.4.0/22,fd00::/8,[::1]"}};
  for (const char* direct : {"http://127.0.0.1", "http://10.255.0.1", "http://192.168.7.255",
                             "http://[fd12::1]", "http://[::1]"}) {
    EXPECT_EQ(chosen(environment, direct), "") << direct;
  }
  for (const char* proxied : {"http://127.0.0.2", "http://11.0.0.1", "http://192.168.8.0",
                              "http://[fe80::1]", "http://ten.10.0.0.1.example"}) {
    EXPECT_EQ(chosen(environment, proxied), "http://p:1") << proxied;
  }
}

TEST(NoProxy, TakesAStarForEverythingAndIgnoresWhatMeansNothing) {
  EXPECT_EQ(chosen({{"all_proxy", "p:1"}, {"no_proxy", "*"}}, "http://h"), "");
  for (const char* nothing : {"", ",", ".", "10.0.0.0/33", "10.0.0.0/x", "/8", "*.h", "h/8"}) {
    EXPECT_EQ(chosen({{"all_proxy", "p:1"}, {"no_proxy", nothing}}, "http://h"), "http://p:1")
        << nothing;
  }
}

TEST(NoProxy, IsBounded) {
  std::string many;
  for (int i = 0; i < 2'000; ++i) many += "h,";
  const auto settings = ProxySettings::from_environment({{"no_proxy", many}});
  ASSERT_FALSE(settings.has_value());
  EXPECT_EQ(settings.error().kind, ErrorKind::limit);
}

}  // namespace
}  // namespace squall::transport
