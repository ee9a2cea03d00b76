#include "squall/proxy/http_proxy.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/fault/profile.h"
#include "squall/json/parse.h"
#include "squall/transport/sse.h"

namespace squall::proxy {
namespace {

using transport::HttpReply;
using transport::HttpRequest;

/// A server that keeps what it was sent, and answers as it is told.
class Upstream final : public transport::HttpHandler {
 public:
  explicit Upstream(runtime::Loop& loop) : server_(loop, *this) {
    EXPECT_TRUE(server_.listen({}).has_value());
  }
  std::optional<HttpReply> on_head(const HttpRequest& /*head*/) override { return std::nullopt; }
  void on_request(HttpRequest request, std::shared_ptr<transport::HttpExchange> exchange) override {
    target = request.target;
    std::string head;
    for (const auto& [name, value] : request.headers) {
      head += std::string(name) + ": " + std::string(value) + "\n";
    }
    heads.push_back(head);
    bodies.push_back(request.body);
    if (stream.empty()) {
      HttpReply reply;
      reply.status = status;
      reply.content_type = type;
      reply.headers = headers;
      reply.body = answer;
      return exchange->reply(std::move(reply));
    }
    HttpReply reply;
    reply.content_type = "text/event-stream";
    exchange->open(reply, stream);
    exchange->finish();
  }
  HttpReply on_refused(int code, std::string_view /*reason*/) override {
    HttpReply reply;
    reply.status = code;
    return reply;
  }
  [[nodiscard]] std::string url(const std::string& path = "/mcp") const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + path;
  }

  std::string target;
  std::vector<std::string> heads;
  std::vector<std::string> bodies;
  int status = 200;
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string answer = R"({ "jsonrpc":"2.0","id" : 1,"result":{"x":1.50}})";
  std::string stream;

 private:
  transport::HttpServer server_;
};

/// What a client got on one connection, to the last byte.
class Raw final : private runtime::ByteStream::Receiver {
 public:
  Raw(runtime::Loop& loop, std::uint16_t port, std::string request, std::function<void()> done)
      : request_(std::move(request)), done_(std::move(done)) {
    loop.connect("127.0.0.1", port, std::chrono::seconds(5), [this](auto stream) {
      ASSERT_TRUE(stream.has_value());
      stream_ = *std::move(stream);
      stream_->start(*this);
      stream_->send(request_);
    });
  }
  std::string heard;
  bool reset = false;

  [[nodiscard]] std::string body() const {
    const std::size_t head = heard.find("\r\n\r\n");
    return head == std::string::npos ? "" : heard.substr(head + 4);
  }

 private:
  void on_bytes(std::string_view bytes) override { heard += bytes; }
  void on_end(runtime::End end) override {
    reset = end == runtime::End::reset;
    done_();
  }
  std::string request_;
  std::function<void()> done_;
  std::unique_ptr<runtime::ByteStream> stream_;
};

std::string post(const std::string& body, const std::string& headers = "") {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\nConnection: close\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

const std::string kCall =
    R"({"id" :1,"jsonrpc":"2.0","method":"tools/call","params":{"name":"t","arguments":{}}})";

class HttpProxyTest : public testing::Test {
 protected:
  /// Sends requests, one after the other, through a proxy with these rules.
  std::vector<std::string> run(const std::string& rules, const std::vector<std::string>& requests) {
    auto profile = fault::read_profile("test.yaml", "squall: 1\nname: test\nseed: 7\nrules:" +
                                                        (rules.empty() ? " []\n" : "\n" + rules));
    EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().message);
    inject::InjectorOptions inject;
    inject.record = true;
    inject.surroundings.transport = fault::Transport::http;
    auto injector = inject::Injector::make(*std::move(profile), fault::Seed{7}, inject);
    EXPECT_TRUE(injector.has_value()) << (injector ? "" : injector.error().message);
    std::vector<std::unique_ptr<Raw>> clients;
    std::uint16_t port = 0;
    std::function<void()> next = [&] {
      if (clients.size() == requests.size()) return loop->stop();
      clients.push_back(
          std::make_unique<Raw>(*loop, port, requests[clients.size()], [&] { loop->post(next); }));
    };
    if (options.url.empty() && options.command.command.empty()) options.url = upstream.url();
    options.watch_signals = false;
    options.relay.recorder = &recorder;
    options.tell = [this](std::string_view line) { told += std::string(line) + "\n"; };
    options.on_ready = [&](std::uint16_t bound) -> Result<void> {
      port = bound;
      next();
      return {};
    };
    const auto end = run_http_proxy(*loop, **injector, options);
    EXPECT_TRUE(end.has_value()) << (end ? "" : end.error().message);
    for (const auto& [rule, times] : (*injector)->fired()) fired[rule] = times;
    std::vector<std::string> out;
    bodies.clear();
    for (const auto& client : clients) {
      out.push_back(client->heard);
      bodies.push_back(client->body());
      resets.push_back(client->reset);
    }
    return out;
  }

  std::unique_ptr<runtime::SystemLoop> loop = runtime::SystemLoop::make();
  Upstream upstream{*loop};
  HttpOptions options;
  recording::MemoryRecorder recorder;
  std::string told;
  std::map<std::string, std::uint64_t> fired;
  std::vector<std::string> bodies;
  std::vector<bool> resets;
};

TEST_F(HttpProxyTest, WhatNothingStrikesPassesToTheLastByte) {
  upstream.headers = {{"X-Odd", "kept"}, {"Mcp-Session-Id", "abc"}};
  const auto heard = run("", {post(kCall,
                                   "mCP-Param-Region: eu\r\nX-Other: 1\r\n"
                                   "Authorization: Bearer t\r\nAccept-Encoding: gzip\r\n"
                                   "TE: trailers\r\n")});
  ASSERT_EQ(upstream.bodies, std::vector<std::string>{kCall});
  EXPECT_EQ(bodies.at(0), upstream.answer);
  EXPECT_TRUE(heard.at(0).starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_NE(heard[0].find("X-Odd: kept\r\n"), std::string::npos);
  EXPECT_NE(heard[0].find("Mcp-Session-Id: abc\r\n"), std::string::npos);
  const std::string& head = upstream.heads.at(0);
  EXPECT_NE(head.find("mCP-Param-Region: eu\n"), std::string::npos) << head;
  EXPECT_NE(head.find("Authorization: Bearer t\n"), std::string::npos);
  EXPECT_EQ(head.find("gzip"), std::string::npos);
  EXPECT_EQ(head.find("TE:"), std::string::npos);
  EXPECT_EQ(head.find("Connection: close"), std::string::npos);
}

TEST_F(HttpProxyTest, TheUrlIsUsedToTheLetter) {
  options.url = upstream.url("/mcp/?key=a%20b");
  run("", {post(kCall)});
  EXPECT_EQ(upstream.target, "/mcp/?key=a%20b");
}

TEST_F(HttpProxyTest, StreamsPassEventForEvent) {
  upstream.stream =
      ": hello\n\nid: 7\nretry: 10\ndata: {\"method\":\"notifications/progress\"}\n\n"
      "event: message\ndata: {\"id\":1,\ndata: \"result\":{}}\n\n";
  run("", {post(kCall)});
  std::string body;
  std::string_view rest = bodies.at(0);
  while (!rest.empty()) {  // chunks
    const std::size_t size =
        std::stoul(std::string(rest.substr(0, rest.find("\r\n"))), nullptr, 16);
    rest.remove_prefix(rest.find("\r\n") + 2);
    body += rest.substr(0, size);
    rest.remove_prefix(std::min(size + 2, rest.size()));
  }
  EXPECT_EQ(body, upstream.stream);
}

TEST_F(HttpProxyTest, StatusesAndForeignBodiesPass) {
  upstream.status = 401;
  upstream.type = "text/plain";
  upstream.headers = {{"WWW-Authenticate", "Bearer resource_metadata=\"x\""}};
  upstream.answer = "no";
  const auto heard = run("", {post(kCall)});
  EXPECT_TRUE(heard.at(0).starts_with("HTTP/1.1 401"));
  EXPECT_NE(heard[0].find("WWW-Authenticate: Bearer resource_metadata=\"x\"\r\n"),
            std::string::npos);
  EXPECT_EQ(bodies.at(0), "no");
}

TEST_F(HttpProxyTest, JsonThatIsNoJsonRpcBecomesAnError) {
  upstream.answer = R"({"Output":1,"Version":"x"})";
  run("", {post(kCall)});
  const auto body = json::parse(bodies.at(0));
  ASSERT_TRUE(body.has_value()) << bodies[0];
  EXPECT_EQ(body->find("id")->number_text(), "1");
  EXPECT_NE(bodies[0].find("Output"), std::string::npos);
}

TEST_F(HttpProxyTest, HostsOriginsPathsAndCredentialsAreChecked) {
  options.refuse_authorization = true;
  const std::string get = "GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: ";
  std::string evil = post(kCall);
  evil.replace(evil.find("localhost"), 9, "evil.test");
  const auto heard =
      run("", {get + "localhost\r\n\r\n", evil, post(kCall, "Origin: https://evil.test\r\n"),
               post(kCall, "Authorization: Bearer t\r\n"),
               "GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"});
  EXPECT_TRUE(heard.at(0).ends_with("ok\n"));
  EXPECT_TRUE(heard.at(1).starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(heard.at(2).starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(heard.at(3).starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(heard.at(4).starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(upstream.bodies.empty());
}

TEST_F(HttpProxyTest, AServerThatIsNotThereIsABadGateway) {
  options.url = "http://127.0.0.1:1/mcp";
  const auto heard = run("", {post(kCall)});
  EXPECT_TRUE(heard.at(0).starts_with("HTTP/1.1 502"));
}

TEST_F(HttpProxyTest, ToolFaultsChangeTheAnswer) {
  run("  - {id: e, fault: error, message: broken}\n", {post(kCall)});
  EXPECT_NE(bodies.at(0).find("broken"), std::string::npos);
  EXPECT_EQ(upstream.bodies.size(), 1U);
}

TEST_F(HttpProxyTest, StatusesOfFaultsNeverReachTheServer) {
  const auto heard =
      run("  - {id: s, fault: http-status, status: 503, body: text}\n", {post(kCall)});
  EXPECT_TRUE(heard.at(0).starts_with("HTTP/1.1 503"));
  EXPECT_TRUE(upstream.bodies.empty());
}

TEST_F(HttpProxyTest, LengthsAndChunksLieToTheByte) {
  const auto heard = run("  - {id: h, fault: http-headers, variant: length-long}\n", {post(kCall)});
  const std::string said = std::to_string(upstream.answer.size() + 10);
  EXPECT_NE(heard.at(0).find("Content-Length: " + said + "\r\n"), std::string::npos) << heard[0];
  EXPECT_EQ(bodies.at(0), upstream.answer);
}

TEST_F(HttpProxyTest, ChunksBreak) {
  run("  - {id: c, fault: bad-chunk, variant: malformed}\n", {post(kCall)});
  EXPECT_EQ(bodies.at(0), "XYZ\r\n" + upstream.answer + "\r\n");
}

TEST_F(HttpProxyTest, StreamsAreCutAfterExactlySoManyBytes) {
  run("  - {id: c, fault: stream-cut, after-bytes: 9b}\n", {post(kCall)});
  EXPECT_EQ(bodies.at(0), "9\r\nevent: me\r\n");
}

TEST_F(HttpProxyTest, BodiesTrickle) {
  run("  - {id: b, fault: slow-body, over: 40ms, chunks: 4}\n", {post(kCall)});
  EXPECT_EQ(bodies.at(0), upstream.answer);
}

TEST_F(HttpProxyTest, ConnectionsAreRefusedResetAndCutShort) {
  run("  - {id: r, fault: refuse, variant: accept-close}\n", {post(kCall)});
  EXPECT_EQ(bodies.at(0), "");
  EXPECT_TRUE(upstream.bodies.empty());
  options.url.clear();
  const auto heard =
      run("  - {id: d, fault: reset, when: during, after-bytes: 12b}\n", {post(kCall)});
  EXPECT_TRUE(resets.back());
  EXPECT_LE(heard.at(0).size(), 12U);
}

TEST_F(HttpProxyTest, LostResponsesCloseTheStream) {
  const auto heard = run("  - {id: l, fault: lost}\n", {post(kCall)});
  EXPECT_EQ(upstream.bodies.size(), 1U);
  EXPECT_NE(heard.at(0).find("text/event-stream"), std::string::npos);
  EXPECT_EQ(bodies.at(0), "0\r\n\r\n");
}

TEST_F(HttpProxyTest, ThrottledConnectionsSayTheSame) {
  run("  - {id: t, fault: throttle, latency: 5ms, bandwidth: 100kb, slice: 50b}\n", {post(kCall)});
  EXPECT_EQ(bodies.at(0), upstream.answer);
}

TEST_F(HttpProxyTest, CommandsAreSharedByClientsWithoutASession) {
  // A server that answers what it is asked with its own line as the result.
  options.command.command = {
      "sh", "-c",
      R"(while read -r line; do id=${line#*\"id\":}; id=${id%%,*};)"
      R"( echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"pid\":$$}}"; done)"};
  const std::string modern =
      R"({"jsonrpc":"2.0","id":"x","method":"ping","params":)"
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
  const auto heard = run("", {post(modern), post(modern), post(kCall)});
  EXPECT_TRUE(bodies.at(0).starts_with(R"({"jsonrpc":"2.0","id":"x","result":{"pid":)"))
      << heard[0];
  EXPECT_EQ(bodies.at(0), bodies.at(1));
  EXPECT_TRUE(heard.at(2).starts_with("HTTP/1.1 400"));
}

TEST_F(HttpProxyTest, NotificationsThatEndHereAreTaken) {
  const auto heard =
      run("  - {id: d, fault: drop, direction: notification, when: {method: 'notifications/*'}}\n",
          {post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})")});
  EXPECT_TRUE(heard.at(0).starts_with("HTTP/1.1 202"));
  EXPECT_TRUE(upstream.bodies.empty());
}

TEST_F(HttpProxyTest, EachSessionHasACommandOfItsOwn) {
  options.command.command = {
      "sh", "-c",
      R"(while read -r line; do id=${line#*\"id\":}; id=${id%%,*};)"
      R"( echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"pid\":$$}}"; done)"};
  const std::string initialize = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})";
  const auto heard =
      run("", {post(initialize), post(initialize), post(kCall, "Mcp-Session-Id: nobody\r\n")});
  EXPECT_NE(heard.at(0).find("Mcp-Session-Id: "), std::string::npos);
  EXPECT_NE(bodies.at(0), bodies.at(1));
  EXPECT_TRUE(heard.at(2).starts_with("HTTP/1.1 404"));
}

}  // namespace
}  // namespace squall::proxy
