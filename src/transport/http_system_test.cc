#include "squall/transport/http_client.h"

#include "http_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;

/// Counts what comes back over real sockets, and goes on asking until it has had enough.
struct SystemCaller final : HttpClientHandler {
  SystemCaller(runtime::Loop& loop, const Url& origin) : client(loop, origin) {}
  void on_response(const HttpClientResponse& response) override { status = response.status; }
  void on_body(std::string_view bytes) override {
    body += bytes;
    if (body_hook) body_hook();
  }
  void on_done() override { done_hook(); }
  void on_failed(const Error& error, bool) override {
    failure = error.message;
    done_hook();
  }

  HttpClientConnection client;
  int status = 0;
  std::string body;
  std::string failure;
  std::function<void()> body_hook;
  std::function<void()> done_hook;
};

struct SystemBench {
  SystemBench() {
    const auto listening = server->listen({});
    EXPECT_TRUE(listening) << (listening ? "" : listening.error().message);
    // A test that hangs says so, rather than being killed.
    watchdog = loop->call_after(20s, [this] {
      ADD_FAILURE() << "no end in sight";
      loop->stop();
    });
  }
  [[nodiscard]] Url origin() const {
    return {.scheme = "http", .host = "127.0.0.1", .port = server->port(), .target = "/"};
  }
  std::unique_ptr<runtime::SystemLoop> loop = runtime::SystemLoop::make();
  test::TestHandler handler;
  std::unique_ptr<HttpServer> server = std::make_unique<HttpServer>(*loop, handler);
  runtime::TimerId watchdog = runtime::TimerId::none;
};

TEST(HttpOverSockets, ServesManyRequestsOnOneConnection) {
  SystemBench bench;
  SystemCaller caller(*bench.loop, bench.origin());
  int left = 200;
  const auto ask = [&caller] {
    caller.client.request({.method = "POST", .target = "/mcp", .headers = {}, .body = "x"}, caller);
  };
  caller.done_hook = [&] {
    if (--left > 0) return ask();
    bench.loop->stop();
  };
  ask();
  bench.loop->run();
  EXPECT_EQ(caller.failure, "");
  EXPECT_EQ(bench.handler.requests, 200);
  EXPECT_EQ(bench.server->connections(), 1U);
}

TEST(HttpOverSockets, CarriesBodiesLargerThanTheBuffersOfTheKernel) {
  SystemBench bench;
  const std::string big(3 << 20, 'x');
  SystemCaller caller(*bench.loop, bench.origin());
  caller.done_hook = [&bench] { bench.loop->stop(); };
  caller.client.request({.method = "POST", .target = "/", .headers = {}, .body = big}, caller);
  bench.loop->run();
  EXPECT_EQ(caller.failure, "");
  EXPECT_EQ(caller.body, "POST / " + big);
}

TEST(HttpOverSockets, LetsARefusedClientReadWhyThoughItSentMore) {
  SystemBench bench;
  SystemCaller caller(*bench.loop, bench.origin());
  caller.done_hook = [&bench] { bench.loop->stop(); };
  caller.client.request(
      {.method = "POST", .target = "/", .headers = {}, .body = std::string(5 << 20, 'x')}, caller);
  bench.loop->run();
  EXPECT_EQ(caller.failure, "");
  EXPECT_EQ(caller.status, 413);
}

TEST(HttpOverSockets, TellsAStreamThatItsReaderIsGone) {
  SystemBench bench;
  std::shared_ptr<HttpExchange> stream;
  bench.handler.request_hook = [&](const HttpRequest&, std::shared_ptr<HttpExchange> exchange) {
    stream = std::move(exchange);
    stream->on_gone([&bench] { bench.loop->stop(); });
    stream->open({.content_type = "text/event-stream"}, "data: 1\n\n");
  };
  SystemCaller caller(*bench.loop, bench.origin());
  caller.body_hook = [&caller] { caller.client.cancel(); };
  caller.client.request({.method = "GET", .target = "/"}, caller);
  bench.loop->run();
  EXPECT_EQ(caller.body, "data: 1\n\n");
  EXPECT_FALSE(stream->open_for_writing());
  EXPECT_EQ(bench.server->connections(), 0U);
}

TEST(HttpOverSockets, DrainsUntilTheLastReplyIsRead) {
  SystemBench bench;
  SystemCaller caller(*bench.loop, bench.origin());
  caller.done_hook = [] {};
  bench.handler.request_hook = [&](const HttpRequest&, std::shared_ptr<HttpExchange> exchange) {
    bench.server->drain([&bench] { bench.loop->stop(); });
    bench.loop->post([exchange = std::move(exchange)] { exchange->reply_json(200, "last"); });
  };
  caller.client.request({}, caller);
  bench.loop->run();
  EXPECT_EQ(caller.body, "last");
  EXPECT_EQ(bench.server->connections(), 0U);
}

}  // namespace
}  // namespace squall::transport
