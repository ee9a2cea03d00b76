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
constexpr std::string_view kPost =
    "POST /mcp?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello";
constexpr std::string_view kChunked =
    "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;name=value\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n";

TEST(HttpServer, AnswersARequestAndKeepsTheConnection) {
  ServerBench bench;
  const auto peer = bench.connect();
  peer->stream->send(kPost);
  bench.settle();
  EXPECT_EQ(peer->received, json_reply("POST /mcp?x=1 hello"));
  peer->received.clear();
  peer->stream->send(kGet);
  bench.settle();
  EXPECT_EQ(peer->received, json_reply("GET /a "));
  EXPECT_EQ(peer->end, std::nullopt);
}

TEST(HttpServer, GivesTheHandlerTheRequestInParts) {
  ServerBench bench;
  std::optional<HttpRequest> seen;
  bench.handler.request_hook = [&seen](HttpRequest request, const Exchange& exchange) {
    seen.emplace(std::move(request));
    exchange->reply_json(200, "{}");
  };
  bench.converse(
      {"POST /mcp?x=1 HTTP/1.1\r\nHost: h\r\nX-A:  one \r\nx-a:\ttwo\r\nEmpty:\r\n"
       "Content-Length: 2\r\n\r\n{}"});
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->method, "POST");
  EXPECT_EQ(seen->target, "/mcp?x=1");
  EXPECT_EQ(seen->path, "/mcp");
  EXPECT_EQ(seen->query, "x=1");
  EXPECT_EQ(seen->version, 11U);
  EXPECT_EQ(seen->body, "{}");
  EXPECT_EQ(seen->header("host"), "h");
  EXPECT_EQ(seen->header("X-a"), "one, two");
  EXPECT_EQ(seen->header("X-A"), "one, two");
  EXPECT_EQ(seen->count("x-a"), 2U);
  EXPECT_EQ(seen->header("empty"), "");
  EXPECT_EQ(seen->header("absent"), std::nullopt);
}

TEST(HttpServer, AnswersAPipelineTheSameAtEveryCut) {
  const std::string both = std::string(kChunked) + std::string(kPost) + std::string(kGet);
  const std::string replies =
      json_reply("POST /c abcde") + json_reply("POST /mcp?x=1 hello") + json_reply("GET /a ");
  for (std::size_t cut = 0; cut <= both.size(); ++cut) {
    ServerBench bench;
    const std::string_view all = both;
    EXPECT_EQ(bench.converse({all.substr(0, cut), all.substr(cut)}), replies) << cut;
  }
}

TEST(HttpServer, AnswersAPipelineThatComesByteByByte) {
  ServerBench bench;
  const std::string all = std::string(kChunked) + std::string(kPost) + "\r\n" + std::string(kGet);
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < all.size(); ++i) bytes.push_back(std::string_view(all).substr(i, 1));
  EXPECT_EQ(bench.converse(bytes), json_reply("POST /c abcde") + json_reply("POST /mcp?x=1 hello") +
                                       json_reply("GET /a "));
}

TEST(HttpServer, AnswersInOrderHoweverLateTheFirstReplyIs) {
  ServerBench bench;
  std::vector<Exchange> held;
  bench.handler.request_hook = [&held](const HttpRequest&, Exchange exchange) {
    held.push_back(std::move(exchange));
  };
  const auto peer = bench.connect();
  peer->stream->send(std::string(kPost) + std::string(kGet) + std::string(kGet));
  bench.settle();
  ASSERT_EQ(held.size(), 1U);
  held[0]->reply_json(200, "first");
  EXPECT_EQ(held.size(), 1U);  // the next request never comes from inside a reply
  bench.settle();
  ASSERT_EQ(held.size(), 2U);
  held[0]->reply_json(200, "again");  // a finished exchange does nothing
  held[1]->reply_json(200, "second");
  bench.settle();
  ASSERT_EQ(held.size(), 3U);
  held[2]->reply_json(200, "third");
  bench.settle();
  EXPECT_EQ(peer->received, json_reply("first") + json_reply("second") + json_reply("third"));
}

TEST(HttpServer, StopsReadingAPeerThatPipelinesTooMuch) {
  ServerBench bench({.pipelined_bytes_max = 100 << 10});
  std::vector<Exchange> held;
  bench.handler.request_hook = [&held](const HttpRequest&, Exchange exchange) {
    held.push_back(std::move(exchange));
  };
  const auto peer = bench.connect();
  std::string many;
  while (many.size() < (1 << 20)) many += kGet;
  peer->stream->send(many);
  bench.settle();
  EXPECT_GT(peer->stream->pending(), std::size_t{700} << 10);
  std::size_t answered = 0;
  while (answered < held.size()) {
    held[answered++]->reply_json(200, "");
    bench.settle();
  }
  EXPECT_EQ(answered, many.size() / kGet.size());
  EXPECT_EQ(peer->stream->pending(), 0U);
}

TEST(HttpServer, StartsNothingMoreForAPeerThatDoesNotReadItsReplies) {
  ServerBench bench;
  const std::string big(300 << 10, 'x');
  bench.handler.request_hook = [&big](const HttpRequest&, const Exchange& exchange) {
    exchange->reply_json(200, big);
  };
  const auto peer = bench.connect();
  peer->stream->pause();
  for (int i = 0; i < 10; ++i) peer->stream->send(kGet);
  bench.settle();
  EXPECT_EQ(bench.handler.requests, 1);
  peer->stream->resume();
  bench.settle();
  EXPECT_EQ(bench.handler.requests, 10);
  EXPECT_EQ(peer->received.size(), 10 * json_reply(big).size());
}

TEST(HttpServer, ClosesBehindTheReplyWhenAskedTo) {
  ServerBench bench;
  const auto peer = bench.connect();
  peer->stream->send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + std::string(kGet));
  bench.settle();
  EXPECT_EQ(peer->received, json_reply("GET /a ", "Connection: close\r\n"));
  EXPECT_EQ(peer->end, End::finished);
  EXPECT_EQ(bench.handler.requests, 1);
  EXPECT_EQ(bench.server->connections(), 1U);  // listens on for a while, lest the reply be lost
  peer->stream->finish();
  bench.settle();
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpServer, ServesHttp10) {
  ServerBench bench;
  EXPECT_EQ(bench.converse({"GET /a HTTP/1.0\r\n\r\n"}),
            json_reply("GET /a ", "Connection: close\r\n"));
  const std::string_view again = "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
  const std::string reply = json_reply("GET /a ", "Connection: keep-alive\r\n");
  EXPECT_EQ(bench.converse({again, again}), reply + reply);
}

TEST(HttpServer, SendsHeadersOnlyForHead) {
  ServerBench bench;
  const std::string whole = json_reply("HEAD /a ");
  EXPECT_EQ(bench.converse({"HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n", kGet}),
            whole.substr(0, whole.find("\r\n\r\n") + 4) + json_reply("GET /a "));
}

TEST(HttpServer, WritesAWholeReplyWithItsHeaders) {
  ServerBench bench;
  bench.handler.request_hook = [](const HttpRequest&, const Exchange& exchange) {
    exchange->reply(
        {.status = 404,
         .content_type = "text/plain",
         .headers = {{"X-Id", "a\r\nSet-Cookie: b"}, {"Content-Length", "9"}, {"no token", "x"}},
         .body = "gone"});
  };
  EXPECT_EQ(bench.converse({kGet}), "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n" +
                                        std::string(kDate) +
                                        "X-Id: a  Set-Cookie: b\r\nContent-Length: 4\r\n\r\ngone");
}

TEST(HttpServer, SendsNoLengthAndNoBodyWith204) {
  ServerBench bench;
  bench.handler.request_hook = [](const HttpRequest&, const Exchange& exchange) {
    exchange->reply({.status = 204, .content_type = "", .headers = {}, .body = "x"});
  };
  EXPECT_EQ(bench.converse({kGet}), "HTTP/1.1 204 No Content\r\n" + std::string(kDate) + "\r\n");
}

TEST(HttpServer, RefusesWhatCannotBeRead) {
  const std::vector<std::pair<int, std::string>> cases = {
      {400, "GET / HTTP/1.1\nHost: h\n\n"},
      {400, "GET / HTTP/1.1\r\nHost: h\n\r\n"},
      {400, "\x16\x03\x01 hello"},
      {400, "GET / HTTP/1.1\r\nHost : h\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: h\r\nX:\r\n b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: h\r\nX:\r\n \r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: h\r\nX: a" + std::string(1, '\0') + "b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
      {400, "GET a HTTP/1.1\r\nHost: h\r\n\r\n"},
      {400, "GET http:// HTTP/1.1\r\nHost: h\r\n\r\n"},
      {400, "GET http://u@h/ HTTP/1.1\r\nHost: h\r\n\r\n"},
      {400, "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"},
      {400, "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {400, "GET / HTTP/1.1 \r\nHost: h\r\n\r\n"},
      {400, "GET /\r\nHost: h\r\n\r\n"},
      {505, "GET / HTTP/2.0\r\nHost: h\r\n\r\n"},
      {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\nx"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\nx"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\nx"},
      {400,
       "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
      {400,
       "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n"},
      {400, "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {501, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"},
      {501, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n"},
      {501, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, chunked\r\n\r\n"},
      {417, "POST / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n"},
      {413, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4194305\r\n\r\n"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"},
      {400, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1 ;\n\r\na\r\n"},
  };
  for (const auto& [status, bytes] : cases) {
    ServerBench bench;
    EXPECT_EQ(bench.converse({bytes}), refusal(status)) << bytes;
    EXPECT_EQ(bench.handler.requests, 0) << bytes;
    EXPECT_EQ(bench.handler.refusals.size(), 1U) << bytes;
  }
}

TEST(HttpServer, HoldsHeadersToTheirLimits) {
  const std::string start = "GET / HTTP/1.1\r\nHost: h\r\n";
  const HttpServerOptions options{.header_bytes_max = 200, .headers_max = 4};
  const auto answer = [&options](const std::string& bytes) {
    ServerBench bench(options);
    return bench.converse({bytes}).substr(9, 3);
  };
  const std::size_t room = 200 - start.size() - std::string("X: \r\n\r\n").size();
  EXPECT_EQ(answer(start + "X: " + std::string(room, 'x') + "\r\n\r\n"), "200");
  EXPECT_EQ(answer(start + "X: " + std::string(room + 1, 'x') + "\r\n\r\n"), "431");
  EXPECT_EQ(answer(start + "X: " + std::string(10'000, 'x')), "431");
  EXPECT_EQ(answer(start + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n"), "200");
  EXPECT_EQ(answer(start + "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n"), "431");
}

TEST(HttpServer, HoldsChunkedBodiesToTheirLimits) {
  const std::string start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const HttpServerOptions options{.header_bytes_max = 200, .body_bytes_max = 8};
  const auto answer = [&](const std::string& bytes) {
    ServerBench bench(options);
    return bench.converse({start + bytes}).substr(9, 3);
  };
  EXPECT_EQ(answer("4\r\nabcd\r\n4\r\nefgh\r\n0\r\n\r\n"), "200");
  EXPECT_EQ(answer("4\r\nabcd\r\n5\r\nefgh"), "413");
  EXPECT_EQ(answer("ffffffffffffffff\r\n"), "413");
  EXPECT_EQ(answer("fffffffffffffffff\r\n"), "400");
  EXPECT_EQ(answer("1;" + std::string(300, 'x')), "431");
  EXPECT_EQ(answer("0\r\nX: " + std::string(300, 'x')), "431");
}

TEST(HttpServer, RefusesChunksThatAreMostlyExtensions) {
  ServerBench bench;
  std::string bytes = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 100; ++i) bytes += "1;" + std::string(2'000, 'x') + "\r\na\r\n";
  EXPECT_EQ(bench.converse({bytes}), refusal(400));
}

TEST(HttpServer, TakesTheHostOfAnAbsoluteTarget) {
  for (const std::string_view rest : {"/mcp?q", "?q"}) {
    ServerBench bench;
    std::string seen;
    bench.handler.request_hook = [&seen](const HttpRequest& request, const Exchange& exchange) {
      seen = std::string(request.path) + " " + std::string(request.query) + " " +
             std::string(*request.header("host"));
      exchange->reply_json(200, "");
    };
    bench.converse({"GET HTTP://evil:8" + std::string(rest) + " HTTP/1.1\r\nHost: good\r\n\r\n"});
    EXPECT_EQ(seen, rest == "?q" ? "/ q evil:8" : "/mcp q evil:8");
  }
}

TEST(HttpServer, ServesStrangeTargets) {
  for (const std::string target : {"//", "/?", "/%zz", "/..//..", "/\xff", "/a#b"}) {
    ServerBench bench;
    EXPECT_EQ(bench.converse({"GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n"}),
              json_reply("GET " + target + " "));
  }
  ServerBench bench;
  EXPECT_EQ(bench.converse({"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"}), json_reply("OPTIONS * "));
}

TEST(HttpServer, InvitesABodyThatWaitsForIt) {
  ServerBench bench;
  const std::string_view head =
      "POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(bench.converse({head, "ab"}),
            "HTTP/1.1 100 Continue\r\n\r\n" + json_reply("POST /e ab"));
  EXPECT_EQ(bench.converse({std::string(head) + "ab"}), json_reply("POST /e ab"));
}

TEST(HttpServer, RefusesAWaitingBodyWithoutInvitingIt) {
  ServerBench bench;
  bench.handler.head_hook = [](const HttpRequest&) { return HttpReply{.status = 403}; };
  const std::string_view head =
      "POST /e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(bench.converse({head}), refusal(403));
  EXPECT_EQ(bench.handler.requests, 0);
}

TEST(HttpServer, SkipsTheBodyOfARefusedRequest) {
  ServerBench bench;
  bench.handler.head_hook = [](const HttpRequest& head) -> std::optional<HttpReply> {
    if (head.method == "GET") return std::nullopt;
    return HttpReply{.status = 403};
  };
  const std::string refused =
      "HTTP/1.1 403 Forbidden\r\n" + std::string(kDate) + "Content-Length: 0\r\n\r\n";
  for (const std::string_view request : {kPost, kChunked}) {
    for (std::size_t cut = 0; cut <= request.size(); ++cut) {
      EXPECT_EQ(bench.converse({request.substr(0, cut), request.substr(cut), kGet}),
                refused + json_reply("GET /a "))
          << cut;
    }
  }
}

TEST(HttpServer, PausesListeningAtItsLimitOfConnections) {
  ServerBench bench({.connections_max = 2});
  ASSERT_TRUE(bench.server->listen({}));
  std::vector<std::unique_ptr<test::Peer>> peers;
  for (int i = 0; i < 3; ++i) {
    bench.loop->connect("127.0.0.1", bench.server->port(), 1s, [&peers](auto stream) {
      ASSERT_TRUE(stream);
      peers.push_back(std::make_unique<test::Peer>(*std::move(stream)));
    });
  }
  bench.settle();
  ASSERT_EQ(peers.size(), 3U);
  EXPECT_EQ(bench.server->connections(), 2U);
  peers[2]->stream->send(kGet);
  bench.settle();
  EXPECT_EQ(peers[2]->received, "");
  peers[0].reset();
  bench.settle();
  EXPECT_EQ(bench.server->connections(), 2U);
  EXPECT_EQ(peers[2]->received, json_reply("GET /a "));
}

TEST(HttpServer, TellsTheTimeOfEachReply) {
  ServerBench bench;
  bench.converse({kGet});
  bench.loop->advance(24h * 60 + 1h + 2min + 3s);
  EXPECT_NE(bench.converse({kGet}).find("Date: Mon, 02 Mar 2026 01:02:03 GMT\r\n"),
            std::string::npos);
}

}  // namespace
}  // namespace squall::transport
