#include "squall/transport/http_pool.h"

#include <gmock/gmock.h>

#include "squall/runtime/task_set.h"

#include "http_client_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;
using test::Caller;
using test::Peer;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// A client, and two ports where a test plays servers in bytes.
struct Bench {
  explicit Bench(HttpClientOptions options = {})
      : client(std::make_unique<HttpClient>(*loop, options)) {
    for (auto& listener : listeners) {
      listener = *loop->listen({}, [this](std::unique_ptr<runtime::ByteStream> stream) {
        peers.push_back(std::make_unique<Peer>(std::move(stream)));
      });
    }
  }
  [[nodiscard]] Url url(const std::string& target = "/", std::size_t which = 0) const {
    return *Url::parse("http://127.0.0.1:" + std::to_string(listeners[which]->port()) + target);
  }
  HttpClient::Id ask(Caller& caller, const std::string& target = "/",
                     const std::string& method = "POST", std::size_t which = 0) {
    const auto id = client->request(url(target, which), {.method = method, .body = "b"}, caller);
    loop->run_ready();
    return id;
  }
  void answer(std::size_t peer, std::string_view bytes = kOk) {
    peers.at(peer)->stream->send(bytes);
    loop->run_ready();
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::array<std::unique_ptr<runtime::Listener>, 2> listeners;
  std::vector<std::unique_ptr<Peer>> peers;
  std::unique_ptr<HttpClient> client;
};

TEST(HttpPool, SendsAtOnceAndKeepsTheConnections) {
  Bench bench;
  Caller a;
  Caller b;
  bench.ask(a, "/a?x");
  bench.ask(b, "/b");
  ASSERT_EQ(bench.peers.size(), 2U);
  EXPECT_THAT(bench.peers[0]->received, StartsWith("POST /a?x HTTP/1.1\r\n"));
  EXPECT_THAT(bench.peers[0]->received, HasSubstr("\r\nAccept-Encoding: identity\r\n"));
  EXPECT_EQ(bench.client->under_way(), 2U);
  bench.answer(1);
  bench.answer(0);
  EXPECT_EQ(a.body + b.body, "okok");
  EXPECT_EQ(bench.client->under_way(), 0U);
  bench.ask(a, "/c");
  EXPECT_EQ(bench.peers.size(), 2U) << "one of them serves again";
  EXPECT_EQ(bench.client->connections(), 2U);
}

TEST(HttpPool, LetsRequestsWaitInOrder) {
  Bench bench({.connections_max = 1});
  std::array<Caller, 3> callers;
  for (std::size_t i = 0; i < 3; ++i) bench.ask(callers[i], "/number-" + std::to_string(i));
  ASSERT_EQ(bench.peers.size(), 1U);
  EXPECT_EQ(bench.client->waiting(), 2U);
  EXPECT_THAT(bench.peers[0]->received, Not(HasSubstr("-1 ")));
  bench.answer(0);
  EXPECT_THAT(bench.peers[0]->received, HasSubstr("-1 "));
  EXPECT_THAT(bench.peers[0]->received, Not(HasSubstr("-2 ")));
  bench.answer(0);
  bench.answer(0);
  for (const Caller& caller : callers) EXPECT_EQ(caller.done, 1);
}

TEST(HttpPool, SharesTheConnectionsBetweenOrigins) {
  Bench bench({.connections_max = 1});
  Caller a;
  Caller b;
  bench.ask(a, "/", "POST", 0);
  bench.ask(b, "/", "POST", 1);
  EXPECT_EQ(bench.peers.size(), 1U);
  bench.answer(0);
  ASSERT_EQ(bench.peers.size(), 2U) << "the unused one makes room";
  EXPECT_TRUE(bench.peers[0]->end.has_value());
  bench.answer(1);
  EXPECT_EQ(b.done, 1);
  EXPECT_EQ(bench.client->connections(), 1U);
}

TEST(HttpPool, BoundsEachOriginForItself) {
  Bench bench({.connections_per_origin_max = 1});
  Caller a;
  Caller b;
  Caller c;
  bench.ask(a, "/", "POST", 0);
  bench.ask(b, "/", "POST", 0);
  bench.ask(c, "/", "POST", 1);
  EXPECT_EQ(bench.peers.size(), 2U);
  EXPECT_EQ(bench.client->waiting(), 1U);
}

TEST(HttpPool, FailsWhatCannotEvenWait) {
  Bench bench({.connections_max = 1, .waiting_max = 1});
  std::array<Caller, 3> callers;
  for (Caller& caller : callers) bench.ask(caller);
  EXPECT_EQ(callers[2].failed, 1);
  EXPECT_FALSE(callers[2].sent);
  EXPECT_EQ(callers[2].error.kind, ErrorKind::limit);
}

TEST(HttpPool, CancelsOneRequestAndServesTheNext) {
  Bench bench({.connections_max = 1});
  Caller a;
  Caller b;
  Caller c;
  const auto first = bench.ask(a, "/a");
  const auto second = bench.ask(b, "/b");
  bench.ask(c, "/c");
  EXPECT_TRUE(bench.client->cancel(second));
  EXPECT_FALSE(bench.client->cancel(second));
  EXPECT_TRUE(bench.client->cancel(first));
  bench.loop->run_ready();
  ASSERT_EQ(bench.peers.size(), 2U);
  EXPECT_TRUE(bench.peers[0]->end.has_value());
  EXPECT_THAT(bench.peers[1]->received, StartsWith("POST /c "));
  bench.answer(1);
  EXPECT_EQ(c.done, 1);
  EXPECT_EQ(a.done + a.failed + b.done + b.failed, 0);
}

TEST(HttpPool, MayBeUsedAndDestroyedByItsHandlers) {
  Bench again({.connections_max = 1});
  Caller a;
  Caller b;
  a.done_hook = [&] { again.client->request(again.url("/b"), {.method = "GET"}, b); };
  again.ask(a);
  again.answer(0);
  again.answer(0);
  EXPECT_EQ(b.done, 1);
  for (auto hook : {&Caller::response_hook, &Caller::body_hook, &Caller::done_hook}) {
    Bench bench;
    Caller caller;
    caller.*hook = [&bench] { bench.client.reset(); };
    bench.ask(caller);
    bench.answer(0);
    EXPECT_TRUE(bench.peers[0]->end.has_value());
    Bench other;
    Caller canceller;
    const auto id = other.ask(canceller);
    canceller.*hook = [&other, id] { static_cast<void>(other.client->cancel(id)); };
    other.answer(0);
    EXPECT_EQ(other.client->under_way(), 0U);
  }
}

TEST(HttpPool, GivesUpConnectionsThatNobodyUses) {
  Bench bench;
  Caller caller;
  bench.ask(caller);
  bench.answer(0);
  bench.loop->advance(3'999ms);
  EXPECT_EQ(bench.client->connections(), 1U);
  bench.loop->advance(1ms);
  EXPECT_EQ(bench.client->connections(), 0U);
  EXPECT_TRUE(bench.peers[0]->end.has_value());
  bench.loop->run();  // comes back: nothing is left to happen
}

TEST(HttpPool, GivesUpConnectionsBeforeTheServerDoes) {
  for (const auto& [header, kept] :
       {std::pair("timeout=3", true), std::pair("max=9, Timeout=2", false),
        std::pair("timeout=1", false), std::pair("timeout=x", true),
        std::pair("timeout=99", true)}) {
    Bench bench;
    Caller caller;
    bench.ask(caller);
    bench.answer(0, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: " + std::string(header) +
                        "\r\n\r\n");
    bench.loop->advance(1'500ms);
    bench.ask(caller);
    EXPECT_EQ(bench.peers.size(), kept ? 1U : 2U) << header;
  }
}

TEST(HttpPool, NeverSendsTwiceWhatMayHaveRun) {
  for (const auto& [method, again] : {std::pair("POST", false), std::pair("GET", true)}) {
    Bench bench;
    Caller caller;
    bench.ask(caller);
    bench.answer(0);
    bench.ask(caller, "/second", method);
    bench.peers[0]->stream->close();
    bench.loop->run_ready();
    EXPECT_EQ(bench.peers.size(), again ? 2U : 1U) << method;
    EXPECT_EQ(caller.failed, again ? 0 : 1) << method;
    EXPECT_EQ(caller.sent, !again);
  }
}

TEST(HttpPool, FollowsRedirectsWithinTheOrigin) {
  struct Case {
    const char* method;
    int status;
    const char* expected;
  };
  for (const Case& it :
       {Case{"GET", 301, "GET /x/new?y "}, Case{"GET", 303, "GET /x/new?y "},
        Case{"POST", 307, "POST /x/new?y "}, Case{"POST", 308, "POST /x/new?y "}}) {
    Bench bench;
    Caller caller;
    bench.ask(caller, "/x/old", it.method);
    bench.peers[0]->received.clear();
    bench.answer(0, "HTTP/1.1 " + std::to_string(it.status) +
                        " R\r\nLocation: new?y#z\r\nContent-Length: 4\r\n\r\nmove");
    ASSERT_EQ(bench.peers.size(), 1U);
    EXPECT_THAT(bench.peers[0]->received, StartsWith(it.expected)) << it.status;
    EXPECT_THAT(bench.peers[0]->received, testing::EndsWith("\r\n\r\nb"));
    bench.answer(0);
    EXPECT_EQ(caller.response.status, 200);
    EXPECT_EQ(caller.body, "ok");
  }
}

TEST(HttpPool, HandsOnRedirectsThatWouldChangeTheRequest) {
  for (const int status : {300, 301, 302, 303, 304}) {
    Bench bench;
    Caller caller;
    bench.ask(caller, "/", "POST");
    bench.answer(0, "HTTP/1.1 " + std::to_string(status) +
                        " R\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(caller.response.status, status);
    EXPECT_EQ(caller.done, 1);
  }
  Bench bench;
  Caller caller;
  bench.ask(caller, "/", "GET");
  bench.answer(0, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(caller.response.status, 302) << "it does not say where to";
}

TEST(HttpPool, FollowsNobodyToAnotherOrigin) {
  for (const char* where :
       {"http://evil.example:81/steal?token=hunter2", "//127.0.0.2/x", "https://127.0.0.1/"}) {
    Bench bench;
    Caller caller;
    bench.ask(caller, "/", "POST");
    bench.answer(
        0, "HTTP/1.1 307 R\r\nLocation: " + std::string(where) + "\r\nContent-Length: 0\r\n\r\n");
    ASSERT_EQ(caller.failed, 1) << where;
    EXPECT_TRUE(caller.sent);
    EXPECT_EQ(caller.error.kind, ErrorKind::invalid);
    EXPECT_THAT(caller.error.message, HasSubstr(bench.url().resolve(where)->origin()));
    EXPECT_THAT(caller.error.message, Not(HasSubstr("hunter2")));
    EXPECT_EQ(bench.client->under_way() + bench.client->connections(), 0U);
  }
}

TEST(HttpPool, TiresOfRedirects) {
  Bench bench;
  Caller caller;
  bench.ask(caller, "/", "GET");
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(caller.failed, 0);
    bench.answer(0, "HTTP/1.1 302 R\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n");
  }
  EXPECT_EQ(caller.failed, 1);
  EXPECT_EQ(caller.error.kind, ErrorKind::limit);
}

TEST(HttpPool, DoesNotReadARedirectsEndlessBody) {
  Bench bench;
  Caller caller;
  bench.ask(caller, "/", "GET");
  bench.answer(0, "HTTP/1.1 302 R\r\nLocation: /new\r\nContent-Length: 999999999\r\n\r\n" +
                      std::string(100'000, 'x'));
  ASSERT_EQ(bench.peers.size(), 2U);
  EXPECT_TRUE(bench.peers[0]->end.has_value());
  EXPECT_THAT(bench.peers[1]->received, StartsWith("GET /new "));
}

TEST(HttpPool, RefusesBodiesItDidNotAskFor) {
  Bench bench;
  Caller caller;
  bench.ask(caller);
  bench.answer(0, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok");
  EXPECT_EQ(caller.failed, 1);
  EXPECT_THAT(caller.error.message, HasSubstr("compressed"));
  bench.ask(caller);
  bench.answer(1, "HTTP/1.1 200 OK\r\nContent-Encoding: Identity\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(caller.done, 1);
}

TEST(HttpPool, ReadsNoCertificatesBeforeItHasTo) {
  Bench bench({.trust = {.ca_file = "/nowhere/at/all"}});
  Caller caller;
  bench.ask(caller);
  bench.answer(0);
  EXPECT_EQ(caller.done, 1);
  bench.client->request(*Url::parse("https://127.0.0.1:1/?token=hunter2"), {}, caller);
  EXPECT_EQ(caller.failed, 0) << "never from inside";
  bench.loop->run_ready();
  EXPECT_EQ(caller.failed, 1);
  EXPECT_FALSE(caller.sent);
  EXPECT_THAT(caller.error.message, HasSubstr("/nowhere/at/all"));
  EXPECT_THAT(caller.error.message, Not(HasSubstr("hunter2")));
}

TEST(HttpPool, TakesTheProxyOfTheUrl) {
  Bench bench;
  HttpClientOptions options;
  const std::string proxy = "http://127.0.0.1:" + std::to_string(bench.listeners[1]->port());
  options.proxies =
      *ProxySettings::from_environment({{"http_proxy", proxy}, {"no_proxy", "127.0.0.1"}});
  bench.client = std::make_unique<HttpClient>(*bench.loop, options);
  Caller caller;
  bench.client->request(*Url::parse("http://far.example/a"), {.method = "GET"}, caller);
  bench.loop->run_ready();
  EXPECT_THAT(bench.peers.at(0)->received, StartsWith("GET http://far.example/a HTTP/1.1\r\n"));
  bench.ask(caller, "/direct");
  EXPECT_THAT(bench.peers.at(1)->received, StartsWith("POST /direct "));
}

/// A fetch, and what became of it.
struct Fetching {
  Fetching(Bench& bench, HttpFetch request) : tasks(*bench.loop) {
    tasks.start(run(*bench.client, std::move(request)));
    bench.loop->run_ready();
  }
  Task<> run(HttpClient& client, HttpFetch request) {
    Result<HttpResponse> its = co_await client.fetch(std::move(request));
    outcome = std::move(its);
  }
  std::optional<Result<HttpResponse>> outcome;
  runtime::TaskSet tasks;
};

TEST(HttpFetch, GathersTheWholeResponse) {
  Bench bench;
  HttpFetch request("POST", bench.url("/token"));
  request.headers = {{"X-A", "1"}};
  request.body = "grant";
  Fetching fetching(bench, request);
  EXPECT_THAT(bench.peers.at(0)->received, HasSubstr("X-A: 1\r\n"));
  EXPECT_THAT(bench.peers[0]->received, testing::EndsWith("grant"));
  bench.answer(0, "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\nX-B: 2\r\n\r\n1\r\na\r\n");
  EXPECT_FALSE(fetching.outcome.has_value());
  bench.answer(0, "1\r\nb\r\n0\r\n\r\n");
  const HttpResponse& response = fetching.outcome.value().value();
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(*response.header("x-b"), "2");
  EXPECT_EQ(response.header("x-c"), nullptr);
  EXPECT_EQ(response.body, "ab");
  EXPECT_EQ(response.url, bench.url("/token"));
}

TEST(HttpFetch, FollowsRedirectsOnlyWhenTold) {
  const std::string moved = "HTTP/1.1 307 R\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n";
  Bench bench;
  HttpFetch request("GET", bench.url("/old"));
  Fetching kept(bench, request);
  bench.answer(0, moved);
  EXPECT_EQ(kept.outcome.value()->status, 307);
  request.follow_redirects = true;
  Fetching followed(bench, request);
  bench.answer(0, moved);
  bench.answer(0);
  EXPECT_EQ(followed.outcome.value()->status, 200);
  EXPECT_EQ(followed.outcome.value()->url, bench.url("/new"));
}

TEST(HttpFetch, BoundsTheBodyAndTheTime) {
  Bench bench;
  HttpFetch request("GET", bench.url());
  request.body_bytes_max = 2;
  Fetching fits(bench, request);
  bench.answer(0);
  EXPECT_TRUE(fits.outcome.value().has_value());
  Fetching grows(bench, request);
  bench.answer(0, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nokay");
  EXPECT_EQ(grows.outcome.value().error().kind, ErrorKind::limit);
  Fetching waits(bench, request);
  bench.loop->advance(29'999ms);
  EXPECT_FALSE(waits.outcome.has_value());
  bench.loop->advance(1ms);
  EXPECT_EQ(waits.outcome.value().error().kind, ErrorKind::timeout);
  EXPECT_EQ(bench.client->under_way(), 0U);
}

TEST(HttpFetch, FailsAsRequestsDo) {
  Bench bench;
  const Url url = bench.url();
  bench.listeners[0].reset();
  Fetching fetching(bench, HttpFetch("GET", url));
  EXPECT_EQ(fetching.outcome.value().error().kind, ErrorKind::unavailable);
}

TEST(HttpFetch, IsCancelledByDestroyingIt) {
  Bench bench;
  {
    Fetching fetching(bench, HttpFetch("GET", bench.url()));
    EXPECT_EQ(bench.client->under_way(), 1U);
  }
  EXPECT_EQ(bench.client->under_way(), 0U);
  Fetching outlives(bench, HttpFetch("GET", bench.url()));
  bench.client.reset();
  bench.loop->advance(60s);
  EXPECT_FALSE(outlives.outcome.value_or(HttpResponse{}).has_value());
}

}  // namespace
}  // namespace squall::transport
