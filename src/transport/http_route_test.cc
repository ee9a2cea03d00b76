#include <gmock/gmock.h>

#include "squall/transport/http.h"
#include "squall/transport/http_client.h"

#include "http_client_test_support.h"
#include "tls_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;
using test::Caller;
using test::Peer;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

const test::CertificateFiles& files() {
  static const test::CertificateFiles made;
  return made;
}
std::shared_ptr<const TlsContext> server_context() {
  return *TlsContext::load(files().certificate, files().key);
}
std::shared_ptr<const TlsContext> client_context() {
  return *TlsContext::for_client({.ca_file = files().certificate});
}

/// A client whose every connection ends at a peer that a test plays.
struct Bench {
  explicit Bench(bool tls_at_listener = false) {
    listener = *loop->listen({}, [this, tls_at_listener](std::unique_ptr<runtime::ByteStream> raw) {
      if (tls_at_listener) raw = make_tls_stream(*loop, std::move(raw), server_context(), 10s);
      peers.push_back(std::make_unique<Peer>(std::move(raw)));
    });
  }
  [[nodiscard]] Url at_listener(const std::string& scheme) const {
    return {.scheme = scheme, .host = "localhost", .port = listener->port(), .target = "/"};
  }
  [[nodiscard]] Proxy proxy(const std::string& scheme = "http") const {
    return {.address = at_listener(scheme), .authorization = "Basic secret"};
  }
  void ask(const Url& origin, HttpRoute route) {
    client =
        std::make_unique<HttpClientConnection>(*loop, origin, HttpClientLimits{}, std::move(route));
    client->request({.method = "POST", .target = "/mcp", .body = "{}"}, caller);
    loop->run_ready();
  }
  void say(std::string_view bytes) {
    peers.back()->stream->send(bytes);
    loop->run_ready();
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::unique_ptr<runtime::Listener> listener;
  std::vector<std::unique_ptr<Peer>> peers;
  Caller caller;
  std::unique_ptr<HttpClientConnection> client;
};

const Url kPlain{.scheme = "http", .host = "far.example", .port = 8080, .target = "/"};
const Url kSecure{.scheme = "https", .host = "localhost", .port = 443, .target = "/"};

TEST(HttpsClient, SpeaksThroughTls) {
  Bench bench(true);
  bench.ask(bench.at_listener("https"), {.tls = client_context()});
  EXPECT_THAT(bench.peers.at(0)->received, StartsWith("POST /mcp HTTP/1.1\r\nHost: localhost:"));
  bench.say(kOk);
  EXPECT_EQ(bench.caller.body, "ok");
  bench.client->request({.method = "GET", .target = "/again"}, bench.caller);
  bench.loop->run_ready();
  EXPECT_EQ(bench.peers.size(), 1U) << "the connection is kept";
  EXPECT_THAT(bench.peers.at(0)->received, HasSubstr("GET /again"));
}

TEST(HttpsClient, SaysThatNothingLeftWhenItDoesNotTrust) {
  Bench bench(true);
  Url wrong = bench.at_listener("https");
  wrong.host = "127.0.0.9";
  bench.ask(wrong, {.tls = client_context()});
  EXPECT_EQ(bench.caller.failed, 1);
  EXPECT_FALSE(bench.caller.sent);
  EXPECT_THAT(bench.caller.error.message, HasSubstr("certificate is not for '127.0.0.9'"));
  EXPECT_EQ(bench.peers.at(0)->received, "");
}

TEST(HttpsClient, FailsWithoutAContext) {
  Bench bench;
  bench.ask(bench.at_listener("https"), {});
  EXPECT_EQ(bench.caller.failed, 1);
  EXPECT_FALSE(bench.caller.sent);
}

TEST(HttpsClient, TakesACutForACut) {
  Bench bench(true);
  bench.ask(bench.at_listener("https"), {.tls = client_context()});
  bench.say("HTTP/1.1 200 OK\r\n\r\nhalf");
  bench.peers[0]->stream->reset();
  bench.loop->run_ready();
  EXPECT_EQ(bench.caller.failed, 1) << "without a length, only TLS tells the end from a cut";
}

TEST(HttpProxy, IsAskedForThePlainUrl) {
  Bench bench;
  bench.ask(kPlain, {.proxy = bench.proxy()});
  EXPECT_EQ(bench.peers.at(0)->received,
            "POST http://far.example:8080/mcp HTTP/1.1\r\nHost: far.example:8080\r\n"
            "Proxy-Authorization: Basic secret\r\nContent-Length: 2\r\n\r\n{}");
  bench.say(kOk);
  EXPECT_EQ(bench.caller.body, "ok");
}

TEST(HttpProxy, OpensATunnelForHttps) {
  Bench bench;
  bench.ask(kSecure, {.tls = client_context(), .proxy = bench.proxy()});
  EXPECT_EQ(bench.peers.at(0)->received,
            "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n"
            "Proxy-Authorization: Basic secret\r\n\r\n");
  bench.peers[0]->stream->send("HTTP/1.1 200 Connection established\r\n\r\n");
  auto far = make_tls_stream(*bench.loop, std::move(bench.peers[0]->stream), server_context(), 10s);
  bench.peers.push_back(std::make_unique<Peer>(std::move(far)));
  bench.loop->run_ready();
  EXPECT_THAT(bench.peers[1]->received, StartsWith("POST /mcp HTTP/1.1\r\nHost: localhost\r\n"));
  EXPECT_THAT(bench.peers[1]->received, Not(HasSubstr("secret")));
  bench.say(kOk);
  EXPECT_EQ(bench.caller.body, "ok");
}

TEST(HttpProxy, MaySpeakTlsItself) {
  Bench bench(true);
  bench.ask(kPlain, {.tls = client_context(), .proxy = bench.proxy("https")});
  EXPECT_THAT(bench.peers.at(0)->received, StartsWith("POST http://far.example:8080/mcp "));
  Bench tunnel(true);
  tunnel.ask(kSecure, {.tls = client_context(), .proxy = tunnel.proxy("https")});
  EXPECT_THAT(tunnel.peers.at(0)->received, StartsWith("CONNECT localhost:443 HTTP/1.1\r\n"));
}

TEST(HttpProxy, ReadsTheTunnelsReplyInAnyCut) {
  const std::string reply =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
  for (std::size_t cut = 0; cut <= reply.size(); ++cut) {
    Bench bench;
    bench.ask(kSecure, {.tls = client_context(), .proxy = bench.proxy()});
    bench.say(reply.substr(0, cut));
    bench.say(reply.substr(cut));
    EXPECT_EQ(bench.caller.failed, 0) << cut << bench.caller.error.message;
    EXPECT_THAT(bench.peers[0]->received, HasSubstr("\r\n\r\n\x16\x03")) << "a TLS hello";
  }
}

TEST(HttpProxy, SaysWhyThereIsNoTunnel) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"HTTP/1.1 407 Nope\r\n\r\n", "407"},
      {"HTTP/1.1 502 Bad\r\nContent-Length: 3\r\n\r\nbad", "502 Bad Gateway"},
      {"HTTP/1.1 101 Switching Protocols\r\n\r\n", "101"},
      {"HTTP/1.1 200 OK\r\n\r\nearly", "nobody asked"},
      {"SSH-2.0-OpenSSH\r\n\r\n", "does not speak HTTP"},
      {"HTTP/1.1 200 OK\r\nX: " + std::string(20'000, 'x'), "too large"},
  };
  for (const auto& [reply, why] : cases) {
    Bench bench;
    bench.ask(kSecure, {.tls = client_context(), .proxy = bench.proxy()});
    bench.say(reply);
    ASSERT_EQ(bench.caller.failed, 1) << why;
    EXPECT_FALSE(bench.caller.sent);
    EXPECT_THAT(bench.caller.error.message, HasSubstr(why));
    EXPECT_THAT(bench.caller.error.message, Not(HasSubstr("secret")));
  }
}

TEST(HttpProxy, HasToOpenTheTunnelInTime) {
  Bench bench;
  bench.ask(kSecure, {.tls = client_context(), .proxy = bench.proxy()});
  bench.loop->advance(10s);
  EXPECT_EQ(bench.caller.error.kind, ErrorKind::timeout);
  Bench gone;
  gone.ask(kSecure, {.tls = client_context(), .proxy = gone.proxy()});
  gone.peers[0]->stream->close();
  gone.loop->run_ready();
  EXPECT_THAT(gone.caller.error.message, EndsWith("the proxy ended the connection"));
}

TEST(HttpProxy, CanBeGivenUpAtEveryStep) {
  for (int steps = 0; steps < 3; ++steps) {
    Bench bench;
    bench.client = std::make_unique<HttpClientConnection>(
        *bench.loop, kSecure, HttpClientLimits{},
        HttpRoute{.tls = client_context(), .proxy = bench.proxy()});
    bench.client->request({.method = "GET"}, bench.caller);
    if (steps > 0) bench.loop->run_ready();
    if (steps > 1) bench.say("HTTP/1.1 200 OK\r\n\r\n");
    bench.client->cancel();
    EXPECT_FALSE(bench.client->busy());
    bench.loop->advance(60s);
    EXPECT_EQ(bench.caller.failed + bench.caller.done, 0);
    if (steps > 0) {
      EXPECT_TRUE(bench.peers.at(0)->end.has_value()) << steps;
    }
  }
}

}  // namespace
}  // namespace squall::transport
