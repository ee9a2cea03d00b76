#include "squall/transport/http_client.h"

#include "http_client_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;
using runtime::End;
using test::Caller;
using test::Peer;

/// A client, and a port where a test plays the server in bytes.
struct ClientBench {
  explicit ClientBench(HttpClientLimits limits = {}) {
    listener = *loop->listen({}, [this](std::unique_ptr<runtime::ByteStream> stream) {
      servers.push_back(std::make_unique<Peer>(std::move(stream)));
    });
    client = std::make_unique<HttpClientConnection>(*loop, origin(), limits);
  }
  [[nodiscard]] Url origin() const {
    return {.scheme = "http", .host = "127.0.0.1", .port = listener->port(), .target = "/"};
  }
  void ask(const std::string& method = "POST", const std::string& body = "{}") {
    client->request({.method = method, .target = "/mcp", .headers = {{"X-A", "1"}}, .body = body},
                    caller);
    loop->run_ready();
  }
  void answer(std::string_view bytes) {
    servers.back()->stream->send(bytes);
    loop->run_ready();
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::unique_ptr<runtime::Listener> listener;
  std::vector<std::unique_ptr<Peer>> servers;
  Caller caller;
  std::unique_ptr<HttpClientConnection> client;
};

constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-B: b\r\n\r\nok";

TEST(HttpClient, SendsOneRequestAndReadsItsResponse) {
  ClientBench bench;
  bench.ask();
  ASSERT_EQ(bench.servers.size(), 1U);
  EXPECT_EQ(bench.servers[0]->received,
            "POST /mcp HTTP/1.1\r\nHost: " + bench.origin().authority() +
                "\r\nX-A: 1\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_TRUE(bench.client->busy());
  bench.answer(kOk);
  EXPECT_FALSE(bench.client->busy());
  EXPECT_EQ(bench.caller.response.status, 200);
  EXPECT_EQ(*bench.caller.response.header("x-b"), "b");
  EXPECT_EQ(bench.caller.response.header("x-c"), nullptr);
  EXPECT_EQ(bench.caller.body, "ok");
  EXPECT_EQ(bench.caller.done, 1);
}

TEST(HttpClient, LetsItsCallerNameTheHostAndNothingElse) {
  ClientBench bench;
  bench.client->request({.method = "GET",
                         .target = "/",
                         .headers = {{"host", "evil"},
                                     {"Content-Length", "7"},
                                     {"X", "a\r\nY: b"},
                                     {"Bad Name", "c"}},
                         .body = ""},
                        bench.caller);
  bench.loop->run_ready();
  EXPECT_EQ(bench.servers.at(0)->received, "GET / HTTP/1.1\r\nhost: evil\r\nX: a  Y: b\r\n\r\n");
}

TEST(HttpClient, ReadsEveryFramingAtEveryCut) {
  const std::vector<std::string> responses = {
      std::string(kOk),
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + std::string(kOk),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x\r\no\r\n1\r\nk\r\n0\r\nT: "
      "t\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\nok",
  };
  for (const std::string& response : responses) {
    for (std::size_t cut = 0; cut <= response.size(); ++cut) {
      ClientBench bench;
      bench.ask();
      bench.answer(std::string_view(response).substr(0, cut));
      bench.answer(std::string_view(response).substr(cut));
      if (response.ends_with("\r\n\r\nok") && !response.contains("Length")) {
        EXPECT_EQ(bench.caller.done, 0);
        bench.servers[0]->stream->finish();
        bench.loop->run_ready();
      }
      EXPECT_EQ(bench.caller.body, "ok") << response << cut;
      EXPECT_EQ(bench.caller.response.status, 200) << response << cut;
      EXPECT_EQ(bench.caller.done, 1) << response << cut;
    }
  }
}

TEST(HttpClient, ReadsResponsesWithoutABody) {
  ClientBench bench;
  bench.ask("HEAD", "");
  bench.answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
  EXPECT_EQ(bench.caller.done, 1);
  bench.ask();
  bench.answer("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(bench.caller.done, 2);
  bench.ask();
  bench.answer("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(bench.caller.done, 3);
  EXPECT_EQ(bench.caller.body, "");
  EXPECT_EQ(bench.servers.size(), 1U);
}

TEST(HttpClient, ReusesItsConnectionUnlessTheServerClosesIt) {
  ClientBench bench;
  for (int i = 0; i < 3; ++i) {
    bench.ask();
    bench.answer(kOk);
  }
  EXPECT_EQ(bench.servers.size(), 1U);
  bench.ask();
  bench.answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  EXPECT_TRUE(bench.servers[0]->end);
  bench.ask();
  bench.answer(kOk);
  EXPECT_EQ(bench.servers.size(), 2U);
  bench.servers[1]->stream->finish();
  bench.loop->run_ready();
  bench.ask();
  bench.answer(kOk);
  EXPECT_EQ(bench.servers.size(), 3U);
  EXPECT_EQ(bench.caller.done, 6);
  EXPECT_EQ(bench.caller.failed, 0);
}

TEST(HttpClient, DropsAConnectionThatSaysMoreThanItWasAsked) {
  ClientBench bench;
  bench.ask();
  bench.answer(std::string(kOk) + "HTTP/1.1 200 OK\r\n");
  EXPECT_EQ(bench.caller.done, 1);
  EXPECT_TRUE(bench.servers[0]->end);
  bench.ask();
  bench.answer(kOk);
  bench.answer("HTTP/1.1 200 OK\r\n");
  EXPECT_EQ(bench.servers.size(), 2U);
  EXPECT_TRUE(bench.servers[1]->end);
  EXPECT_EQ(bench.caller.done, 2);
}

/// Ends a kept connection just when the next request is on its way.
void ask_on_dying_connection(ClientBench& bench, const std::string& method) {
  bench.ask("GET", "");
  bench.answer(kOk);
  bench.servers[0]->stream->finish();
  bench.client->request({.method = method, .target = "/"}, bench.caller);
  bench.loop->run_ready();
}

TEST(HttpClient, AsksAgainWhenAKeptConnectionDiedAndTwiceIsAsGoodAsOnce) {
  ClientBench bench;
  ask_on_dying_connection(bench, "GET");
  ASSERT_EQ(bench.servers.size(), 2U);
  bench.answer(kOk);
  EXPECT_EQ(bench.caller.done, 2);

  ClientBench twice;
  ask_on_dying_connection(twice, "DELETE");
  twice.servers.at(1)->stream->finish();
  twice.loop->run_ready();
  EXPECT_EQ(twice.servers.size(), 2U);
  EXPECT_EQ(twice.caller.failed, 1);
  EXPECT_TRUE(twice.caller.sent);
}

TEST(HttpClient, NeverSendsAPostTwice) {
  ClientBench bench;
  ask_on_dying_connection(bench, "POST");
  EXPECT_EQ(bench.servers.size(), 1U);
  EXPECT_EQ(bench.caller.failed, 1);
  EXPECT_TRUE(bench.caller.sent);
  EXPECT_EQ(bench.caller.error.kind, ErrorKind::unavailable);
}

TEST(HttpClient, FailsWhenTheResponseIsCutShort) {
  for (const bool reset : {false, true}) {
    for (const std::string_view part :
         {kOk.substr(0, 10), kOk.substr(0, kOk.size() - 1),
          std::string_view("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")}) {
      ClientBench bench;
      bench.ask();
      bench.answer(part);
      if (reset) {
        bench.servers[0]->stream->reset();
      } else {
        bench.servers[0]->stream->finish();
      }
      bench.loop->run_ready();
      EXPECT_EQ(bench.caller.failed, 1) << part;
      EXPECT_EQ(bench.caller.done, 0) << part;
      EXPECT_TRUE(bench.caller.sent);
      EXPECT_EQ(bench.caller.error.kind, ErrorKind::unavailable);
      EXPECT_FALSE(bench.client->busy());
    }
  }
}

TEST(HttpClient, FailsOnAResetWhereTheEndOfTheConnectionEndsTheBody) {
  ClientBench bench;
  bench.ask();
  bench.answer("HTTP/1.1 200 OK\r\n\r\nok");
  bench.servers[0]->stream->reset();
  bench.loop->run_ready();
  EXPECT_EQ(bench.caller.failed, 1);
}

TEST(HttpClient, RefusesWhatIsNoResponse) {
  std::string interims;
  for (int i = 0; i < 17; ++i) interims += "HTTP/1.1 100 Continue\r\n\r\n";
  for (const std::string& bytes : std::vector<std::string>{
           "HTTP/1.1 200 OK\n\n", " HTTP/1.1 200 OK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n",
           "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 099 No\r\n\r\n", "nonsense\r\n\r\n",
           "HTTP/1.1 101 Switching Protocols\r\n\r\n", interims,
           "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\na",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n"}) {
    ClientBench bench;
    bench.ask();
    bench.answer(bytes);
    EXPECT_EQ(bench.caller.failed, 1) << bytes;
    EXPECT_EQ(bench.caller.error.kind, ErrorKind::invalid) << bytes;
    EXPECT_TRUE(bench.servers[0]->end) << bytes;
  }
}

TEST(HttpClient, HoldsResponsesToItsLimits) {
  const HttpClientLimits limits{.header_bytes_max = 100, .body_bytes_max = 10};
  const std::string ten(10, 'x');
  const auto outcome = [&limits](const std::string& bytes) {
    ClientBench bench(limits);
    bench.ask();
    bench.answer(bytes);
    if (bench.caller.failed == 0) return bench.caller.done == 1 ? "done" : "waiting";
    return bench.caller.error.kind == ErrorKind::limit ? "limit" : "other";
  };
  EXPECT_STREQ(outcome("HTTP/1.1 200 OK\r\nX: " + std::string(100, 'x')), "limit");
  EXPECT_STREQ(outcome("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + ten), "done");
  EXPECT_STREQ(outcome("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n" + ten + "x"), "limit");
  EXPECT_STREQ(outcome("HTTP/1.1 200 OK\r\n\r\n" + ten), "waiting");
  EXPECT_STREQ(outcome("HTTP/1.1 200 OK\r\n\r\n" + ten + "x"), "limit");
  EXPECT_STREQ(outcome("HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n" +
                       ten + ten),
               "waiting");
}

TEST(HttpClient, TellsThatNothingWasSentWhenItCannotConnect) {
  ClientBench bench;
  bench.listener.reset();
  bench.ask();
  EXPECT_EQ(bench.caller.failed, 1);
  EXPECT_FALSE(bench.caller.sent);
  EXPECT_EQ(bench.caller.error.kind, ErrorKind::unavailable);
}

TEST(HttpClient, RefusesWhatItCannotSend) {
  ClientBench bench;
  bench.client->request({.method = "GET", .target = "/a b", .headers = {}, .body = ""},
                        bench.caller);
  EXPECT_EQ(bench.caller.failed, 0);  // told on the loop
  bench.loop->run_ready();
  EXPECT_EQ(bench.caller.error.kind, ErrorKind::invalid);
  EXPECT_FALSE(bench.caller.sent);

  HttpClientConnection secure(*bench.loop, *Url::parse("https://127.0.0.1/"));
  secure.request({}, bench.caller);
  bench.loop->run_ready();
  EXPECT_EQ(bench.caller.error.kind, ErrorKind::unavailable);
  EXPECT_EQ(bench.caller.failed, 2);
}

TEST(HttpClient, IsSilentOnceCancelled) {
  for (const int after : {0, 1, 2}) {
    ClientBench bench;
    bench.client->request({}, bench.caller);
    if (after > 0) bench.loop->run_ready();
    if (after > 1) bench.answer(kOk.substr(0, kOk.size() - 1));
    bench.client->cancel();
    EXPECT_FALSE(bench.client->busy());
    bench.loop->run_ready();
    EXPECT_EQ(bench.caller.done + bench.caller.failed, 0);
    if (after > 0) {
      EXPECT_TRUE(bench.servers[0]->end);
    }
    bench.ask();
    bench.answer(kOk);
    EXPECT_EQ(bench.caller.done, 1);
  }
}

TEST(HttpClient, MayBeCancelledOrDestroyedOrAskedAgainInAnyCall) {
  for (const bool destroy : {false, true}) {
    for (const int call : {0, 1, 2}) {
      ClientBench bench;
      const auto hook = [&bench, destroy] {
        if (destroy) {
          bench.client.reset();
        } else {
          bench.client->cancel();
        }
      };
      (call == 0   ? bench.caller.response_hook
       : call == 1 ? bench.caller.body_hook
                   : bench.caller.done_hook) = hook;
      bench.ask();
      bench.answer(kOk);
      EXPECT_EQ(bench.caller.done, call == 2 ? 1 : 0);
      EXPECT_TRUE(bench.servers[0]->end);
    }
  }
  ClientBench bench;
  bench.caller.done_hook = [&bench] {
    bench.caller.done_hook = nullptr;
    bench.client->request({}, bench.caller);
  };
  bench.ask();
  bench.answer(kOk);
  bench.answer(kOk);
  EXPECT_EQ(bench.caller.done, 2);
  EXPECT_EQ(bench.servers.size(), 1U);
}

}  // namespace
}  // namespace squall::transport
