#include "http_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;
using runtime::End;
using test::json_reply;
using test::kDate;
using test::refusal;
using test::ServerBench;
using Exchange = std::shared_ptr<HttpExchange>;

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

/// A bench whose exchanges are all kept.
struct KeepingBench : ServerBench {
  explicit KeepingBench(HttpServerOptions options = {}) : ServerBench(options) {
    handler.request_hook = [this](const HttpRequest&, Exchange exchange) {
      exchanges.push_back(std::move(exchange));
    };
  }
  std::vector<Exchange> exchanges;
};

std::string stream_head(std::string_view framing) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + std::string(kDate) +
         std::string(framing) + "\r\n";
}

HttpReply stream_start() {
  HttpReply reply;
  reply.content_type = "text/event-stream";
  return reply;
}

TEST(HttpStream, IsChunkedAndTheConnectionLivesOn) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.settle();
  const Exchange exchange = bench.exchanges.at(0);
  EXPECT_FALSE(exchange->open_for_writing());
  exchange->open(stream_start(), "first");
  EXPECT_TRUE(exchange->open_for_writing());
  exchange->write("");
  exchange->write("0123456789abcdef");
  exchange->finish();
  exchange->write("late");
  EXPECT_FALSE(exchange->open_for_writing());
  bench.settle();
  EXPECT_EQ(peer->received, stream_head("Transfer-Encoding: chunked\r\n") +
                                "5\r\nfirst\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n");
  peer->received.clear();
  peer->stream->send(kGet);
  bench.settle();
  bench.exchanges.at(1)->reply_json(200, "{}");
  bench.settle();
  EXPECT_EQ(peer->received, json_reply("{}"));
}

TEST(HttpStream, EndsWithTheConnectionOnHttp10) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  bench.settle();
  bench.exchanges.at(0)->open(stream_start(), "first");
  bench.exchanges.at(0)->write("more");
  bench.exchanges.at(0)->finish();
  bench.settle();
  EXPECT_EQ(peer->received, stream_head("Connection: close\r\n") + "firstmore");
  EXPECT_EQ(peer->end, End::finished);
}

TEST(HttpStream, HasNoBodyForHead) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n");
  bench.settle();
  bench.exchanges.at(0)->open(stream_start(), "first");
  bench.exchanges.at(0)->write("more");
  bench.exchanges.at(0)->finish();
  bench.settle();
  EXPECT_EQ(peer->received, stream_head("Transfer-Encoding: chunked\r\n"));
  EXPECT_EQ(peer->end, std::nullopt);
}

TEST(HttpStream, ShowsASlowReader) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.settle();
  const Exchange exchange = bench.exchanges.at(0);
  int drained = 0;
  exchange->on_drained([&drained] { ++drained; });
  exchange->open(stream_start(), "");
  peer->stream->pause();
  for (int round = 1; round <= 2; ++round) {
    exchange->write(std::string(200 << 10, 'x'));
    bench.settle();
    EXPECT_GT(exchange->pending(), std::size_t{50} << 10);
    EXPECT_EQ(drained, round - 1);
    peer->stream->resume();
    bench.settle();
    EXPECT_EQ(exchange->pending(), 0U);
    EXPECT_EQ(drained, round);
    peer->stream->pause();
  }
}

TEST(HttpStream, IsCutGentlyOrByReset) {
  for (const bool reset : {false, true}) {
    KeepingBench bench;
    const auto peer = bench.connect();
    peer->stream->send(kGet);
    bench.settle();
    bool gone = false;
    bench.exchanges.at(0)->on_gone([&gone] { gone = true; });
    bench.exchanges.at(0)->open(stream_start(), "first");
    bench.settle();
    bench.exchanges.at(0)->drop(reset);
    bench.settle();
    EXPECT_EQ(peer->received, stream_head("Transfer-Encoding: chunked\r\n") + "5\r\nfirst\r\n");
    EXPECT_EQ(peer->end, reset ? End::reset : End::finished);
    EXPECT_FALSE(gone);
  }
}

TEST(HttpExchange, HearsOfAPeerThatLeaves) {
  for (const bool reset : {false, true}) {
    KeepingBench bench;
    const auto peer = bench.connect();
    peer->stream->send(kGet);
    bench.settle();
    const Exchange exchange = bench.exchanges.at(0);
    int gone = 0;
    exchange->on_gone([&gone, &exchange] {
      ++gone;
      exchange->reply_json(200, "too late");
    });
    if (reset) {
      peer->stream->reset();
    } else {
      peer->stream->finish();
    }
    bench.settle();
    EXPECT_EQ(gone, 1);
    EXPECT_EQ(bench.server->connections(), 0U);
    EXPECT_EQ(peer->received, "");
    exchange->on_gone([&gone] { ++gone; });  // told even if it asks late
    bench.settle();
    EXPECT_EQ(gone, 2);
    EXPECT_EQ(exchange->pending(), 0U);
    EXPECT_EQ(exchange->peer(), "");
  }
}

TEST(HttpExchange, HearsOfAPeerThatLeavesBehindMoreThanIsRead) {
  KeepingBench bench({.pipelined_bytes_max = 1'000});
  const auto peer = bench.connect();
  peer->stream->send(std::string(kGet) + std::string(5'000, 'X'));
  bench.settle();
  peer->stream->send(std::string(5'000, 'X'));
  bench.settle();
  bool gone = false;
  bench.exchanges.at(0)->on_gone([&gone] { gone = true; });
  EXPECT_FALSE(gone);
  peer->stream->finish();
  bench.settle();
  EXPECT_TRUE(gone);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpExchange, AnswersARequestThatCameTogetherWithTheEnd) {
  ServerBench bench;
  const auto peer = bench.connect();
  peer->stream->send(std::string(kGet) + std::string(kGet));
  peer->stream->finish();
  bench.settle();
  EXPECT_EQ(peer->received, json_reply("GET /a ") + json_reply("GET /a "));
  EXPECT_EQ(peer->end, End::finished);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpExchange, AnswersASlowReaderThatHasEndedItsSide) {
  ServerBench bench;
  const std::string big(300 << 10, 'x');
  bench.handler.request_hook = [&big](const HttpRequest&, const Exchange& exchange) {
    exchange->reply_json(200, big);
  };
  const auto peer = bench.connect();
  peer->stream->pause();
  peer->stream->send(std::string(kGet) + std::string(kGet));
  peer->stream->finish();
  bench.settle();
  peer->stream->resume();
  bench.settle();
  EXPECT_EQ(peer->received.size(), 2 * json_reply(big).size());
  EXPECT_EQ(peer->end, End::finished);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpExchange, HearsOfAPeerThatLeftBeforeItsRequestWasReached) {
  ServerBench bench;
  bool gone = false;
  bench.handler.request_hook = [&](const HttpRequest&, const Exchange& exchange) {
    if (bench.handler.requests == 1) return exchange->reply_json(200, std::string(300 << 10, 'x'));
    exchange->on_gone([&gone, exchange] { gone = true; });
  };
  const auto peer = bench.connect();
  peer->stream->pause();
  peer->stream->send(std::string(kGet) + std::string(kGet));
  peer->stream->finish();
  bench.settle();
  EXPECT_EQ(bench.handler.requests, 1);
  peer->stream->resume();
  bench.settle();
  EXPECT_EQ(bench.handler.requests, 2);
  EXPECT_TRUE(gone);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpExchange, ThatNobodyHoldsIsAnsweredAsAnError) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.settle();
  bench.exchanges.clear();
  bench.settle();
  EXPECT_EQ(peer->received, refusal(500));
  EXPECT_EQ(peer->end, End::finished);
}

TEST(HttpExchange, ThatNobodyHoldsCutsItsStream) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.settle();
  bench.exchanges.at(0)->open(stream_start(), "first");
  bench.exchanges.at(0)->on_drained([&bench] { bench.exchanges.clear(); });
  peer->stream->pause();
  bench.exchanges.at(0)->write(std::string(200 << 10, 'x'));
  peer->stream->resume();
  bench.settle();
  EXPECT_TRUE(bench.exchanges.empty());
  EXPECT_EQ(peer->end, End::finished);
  EXPECT_FALSE(peer->received.ends_with("0\r\n\r\n"));
}

TEST(HttpExchange, IsFreedThoughItsOwnHandlersHoldIt) {
  for (const bool reply : {true, false}) {
    ServerBench bench;
    std::weak_ptr<HttpExchange> seen;
    bench.handler.request_hook = [&](const HttpRequest&, const Exchange& exchange) {
      seen = exchange;
      exchange->on_gone([exchange] {});
      exchange->on_drained([exchange] {});
      if (reply) exchange->reply_json(200, "");
    };
    const auto peer = bench.connect();
    peer->stream->send(kGet);
    bench.settle();
    EXPECT_EQ(seen.expired(), reply);
    bench.server.reset();
    EXPECT_TRUE(seen.expired());
  }
}

TEST(HttpServerEnd, MakesExchangesInert) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.settle();
  bool gone = false;
  bench.exchanges.at(0)->on_gone([&gone] { gone = true; });
  bench.server.reset();
  bench.exchanges.at(0)->reply_json(200, "{}");
  bench.exchanges.at(0)->drop(true);
  bench.settle();
  EXPECT_FALSE(gone);
  EXPECT_EQ(peer->received, "");
  EXPECT_TRUE(peer->end);
}

TEST(HttpServerEnd, MayComeInsideAnyCallOfTheHandler) {
  const auto head_end = [](ServerBench& bench) {
    bench.handler.head_hook = [&bench](const HttpRequest&) {
      bench.server.reset();
      return std::optional(HttpReply{.status = 403});
    };
  };
  const auto request_end = [](ServerBench& bench) {
    bench.handler.request_hook = [&bench](const HttpRequest&, const Exchange& exchange) {
      bench.server.reset();
      exchange->reply_json(200, "");
    };
  };
  const auto reply_and_end = [](ServerBench& bench) {
    bench.handler.request_hook = [&bench](const HttpRequest&, const Exchange& exchange) {
      exchange->reply_json(200, "");
      bench.server.reset();
    };
  };
  const auto gone_end = [](ServerBench& bench) {
    bench.handler.request_hook = [&bench](const HttpRequest&, const Exchange& exchange) {
      exchange->on_gone([&bench, exchange] { bench.server.reset(); });
    };
  };
  for (const auto& arrange : std::vector<std::function<void(ServerBench&)>>{
           head_end, request_end, reply_and_end, gone_end}) {
    ServerBench bench;
    arrange(bench);
    const auto peer = bench.connect();
    const auto other = bench.connect();
    peer->stream->send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n");
    bench.settle();
    peer->stream->send("x" + std::string(kGet));
    bench.settle();
    peer->stream->finish();
    bench.settle();
    EXPECT_EQ(bench.server, nullptr);
    EXPECT_TRUE(other->end);
  }
}

TEST(HttpDrain, IsOverAtOnceWithoutConnections) {
  ServerBench bench;
  bool idle = false;
  bench.server->drain([&idle] { idle = true; });
  bench.settle();
  EXPECT_TRUE(idle);
  const auto late = bench.connect();
  bench.settle();
  EXPECT_TRUE(late->end);
}

TEST(HttpDrain, ClosesTheIdleAndWaitsForTheBusy) {
  KeepingBench bench;
  ASSERT_TRUE(bench.server->listen({}));
  const auto idle_peer = bench.connect();
  const auto busy = bench.connect();
  const auto reading = bench.connect();
  busy->stream->send(kGet);
  reading->stream->send(kGet.substr(0, 10));
  bench.settle();
  bool idle = false;
  bench.server->drain([&] {
    idle = true;
    bench.server.reset();
  });
  bench.settle();
  EXPECT_EQ(idle_peer->end, End::finished);
  EXPECT_EQ(busy->end, std::nullopt);
  reading->stream->send(kGet.substr(10));
  bench.settle();
  bench.exchanges.at(0)->open(stream_start(), "a");
  bench.exchanges.at(0)->finish();
  bench.exchanges.at(1)->reply_json(200, "b");
  bench.settle();
  EXPECT_TRUE(busy->received.ends_with("1\r\na\r\n0\r\n\r\n"));
  EXPECT_EQ(reading->received, json_reply("b", "Connection: close\r\n"));
  EXPECT_FALSE(idle);
  busy->stream->finish();
  reading->stream->finish();
  bench.settle();
  EXPECT_TRUE(idle);
  EXPECT_EQ(bench.server, nullptr);
}

TEST(HttpDrain, ClosesBehindABodyThatWasBeingSkipped) {
  ServerBench bench;
  bench.handler.head_hook = [](const HttpRequest&) { return HttpReply{.status = 403}; };
  const auto peer = bench.connect();
  peer->stream->send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na");
  bench.settle();
  bool idle = false;
  bench.server->drain([&idle] { idle = true; });
  bench.settle();
  EXPECT_EQ(peer->end, std::nullopt);
  peer->stream->send("b");
  bench.settle();
  EXPECT_EQ(peer->end, End::finished);
  bench.loop->advance(2s);
  EXPECT_TRUE(idle);
}

TEST(HttpTime, TakesAnEndlessTimeoutForNone) {
  const auto endless = std::chrono::milliseconds::max();
  ServerBench bench({.header_timeout = endless,
                     .body_idle_timeout = endless,
                     .keep_alive_timeout = endless,
                     .write_idle_timeout = endless});
  const auto peer = bench.connect();
  bench.loop->advance(24h);
  peer->stream->send("POST / HTTP/1.1\r\n");
  bench.loop->advance(24h);
  peer->stream->send("Host: h\r\nContent-Length: 100000\r\n\r\n");
  bench.loop->advance(24h);
  peer->stream->pause();
  peer->stream->send(std::string(100'000, 'x'));
  bench.loop->advance(24h);
  peer->stream->resume();
  bench.settle();
  EXPECT_TRUE(peer->received.ends_with("xxx"));
}

TEST(HttpTime, GivesUpOnASlowHead) {
  ServerBench bench({.header_timeout = 10s});
  const auto peer = bench.connect();
  bench.loop->advance(30s);  // idle is another matter
  for (int i = 0; i < 9; ++i) {
    peer->stream->send(kGet.substr(static_cast<std::size_t>(i), 1));
    bench.loop->advance(1s);
  }
  EXPECT_EQ(peer->received, "");
  bench.loop->advance(1s);
  EXPECT_NE(peer->received.find(" 408 "), std::string::npos);
  EXPECT_EQ(peer->end, End::finished);
  bench.loop->advance(2s);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpTime, GivesEachHeadItsOwnTime) {
  ServerBench bench({.header_timeout = 10s});
  const auto peer = bench.connect();
  for (int i = 0; i < 5; ++i) {
    peer->stream->send(kGet.substr(0, 10));
    bench.loop->advance(9s);
    peer->stream->send(kGet.substr(10));
    bench.settle();
  }
  EXPECT_EQ(bench.handler.requests, 5);
  peer->received.clear();
  peer->stream->send(kGet.substr(0, 10));
  bench.loop->advance(10s);
  EXPECT_NE(peer->received.find(" 408 "), std::string::npos);
}

TEST(HttpTime, TakesEmptyLinesForNoRequest) {
  ServerBench bench;
  const auto peer = bench.connect();
  for (int i = 0; i < 3; ++i) {  // clients that end a body with a line more do no harm
    peer->stream->send("\r\n" + std::string(kGet));
    bench.settle();
  }
  EXPECT_EQ(bench.handler.requests, 3);
  peer->received.clear();
  for (int i = 0; i < 5; ++i) {
    peer->stream->send("\r\n");
    bench.loop->advance(1s);
  }
  EXPECT_NE(peer->received.find(" 400 "), std::string::npos);
  EXPECT_EQ(peer->end, End::finished);
}

TEST(HttpLimits, BoundWhatAllBodiesTogetherTake) {
  ServerBench bench({.body_bytes_max = 1 << 20, .bodies_bytes_max = 200'000});
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 80000\r\n\r\n";
  const auto first = bench.connect();
  first->stream->send(head + std::string(50'000, 'x'));
  const auto second = bench.connect();
  second->stream->send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 190000\r\n\r\n" +
                       std::string(180'000, 'x'));
  bench.settle();
  EXPECT_NE(second->received.find(" 503 "), std::string::npos);
  // The one that was there first goes on, and what has left makes room.
  first->stream->send(std::string(30'000, 'x'));
  bench.settle();
  EXPECT_EQ(bench.handler.requests, 1);
  const auto third = bench.connect();
  third->stream->send(head + std::string(80'000, 'x'));
  bench.settle();
  EXPECT_EQ(bench.handler.requests, 2);
}

TEST(HttpTime, GivesUpOnABodyThatStops) {
  ServerBench bench({.body_idle_timeout = 5s});
  const auto peer = bench.connect();
  peer->stream->send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n");
  for (int i = 0; i < 10; ++i) {
    bench.loop->advance(4s);
    peer->stream->send("x");
  }
  bench.loop->advance(4s);
  EXPECT_EQ(peer->received, "");
  bench.loop->advance(1s);
  EXPECT_NE(peer->received.find(" 408 "), std::string::npos);
}

TEST(HttpTime, ClosesAnIdleConnection) {
  ServerBench bench({.keep_alive_timeout = 60s});
  const auto peer = bench.connect();
  bench.loop->advance(59s);
  peer->stream->send(kGet);
  bench.loop->advance(59s);
  peer->stream->send("\r\n");
  EXPECT_EQ(peer->end, std::nullopt);
  bench.loop->advance(61s);
  EXPECT_EQ(peer->end, End::finished);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpTime, GivesAHandlerAllTheTimeItTakes) {
  KeepingBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.loop->advance(1h);
  bench.exchanges.at(0)->reply({.status = 202});
  bench.settle();
  EXPECT_TRUE(peer->received.starts_with("HTTP/1.1 202 Accepted\r\n"));
}

TEST(HttpTime, DropsAPeerThatTakesNothing) {
  KeepingBench bench({.write_idle_timeout = 30s});
  const auto peer = bench.connect();
  peer->stream->send(kGet);
  bench.settle();
  bool gone = false;
  bench.exchanges.at(0)->on_gone([&gone] { gone = true; });
  bench.exchanges.at(0)->open(stream_start(), "");
  peer->stream->pause();
  bench.exchanges.at(0)->write(std::string(1 << 20, 'x'));
  for (int i = 0; i < 5; ++i) {  // slow, but it does read
    bench.loop->advance(20s);
    peer->stream->resume();
    bench.loop->post([&peer] { peer->stream->pause(); });
    bench.settle();
  }
  EXPECT_FALSE(gone);
  bench.loop->advance(61s);
  EXPECT_TRUE(gone);
  EXPECT_EQ(peer->end, End::reset);
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpTime, ListensOnlySoLongToAPeerThatWasRefused) {
  ServerBench bench;
  const auto peer = bench.connect();
  peer->stream->send("nonsense\n");
  bench.loop->advance(1s);
  EXPECT_EQ(bench.server->connections(), 1U);
  bench.loop->advance(1s);
  EXPECT_EQ(bench.server->connections(), 0U);

  const auto talker = bench.connect();
  talker->stream->send("nonsense\n");
  talker->stream->send(std::string(33 << 20, 'x'));
  bench.settle();
  EXPECT_EQ(talker->received.substr(0, 12), "HTTP/1.1 400");
  EXPECT_EQ(bench.server->connections(), 0U);
}

}  // namespace
}  // namespace squall::transport
