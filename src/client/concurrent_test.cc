#include <atomic>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"
#include "squall/server/engine.h"
#include "squall/server/serve.h"

#include "test_support.h"

/// @file A thousand calls at once on one connection, the server on threads of its own.

namespace squall::client::test {
namespace {

constexpr int kCalls = 1'000;

/// An HTTP server on its own thread, and a line server on each connection to its other port.
class ThreadedServer {
 public:
  ThreadedServer() {
    server::Registry registry({.name = "threaded", .version = "1"});
    registry.tool("echo").handle([](server::Context& context) -> Task<server::ToolResult> {
      co_await context.sleep(std::chrono::milliseconds(1));
      co_return server::ToolResult::text(json::to_string(context.arguments()));
    });
    engine_ = std::make_unique<server::Engine>(registry.compile().value());
    std::promise<std::pair<std::uint16_t, std::uint16_t>> ready;
    auto ports = ready.get_future();
    thread_ = std::thread([this, &ready] { serve(ready); });
    std::tie(http_port, line_port) = ports.get();
  }
  ~ThreadedServer() {
    loop_.load()->stop();
    thread_.join();
  }

  std::uint16_t http_port = 0;
  std::uint16_t line_port = 0;

 private:
  void serve(std::promise<std::pair<std::uint16_t, std::uint16_t>>& ready) {
    const auto loop = runtime::SystemLoop::make();
    loop_ = loop.get();
    const auto endpoint = server::make_http_endpoint(*loop, *engine_, server::HttpOptions());
    transport::HttpServer http(*loop, *endpoint);
    EXPECT_TRUE(http.listen({}).has_value());
    std::vector<std::unique_ptr<server::ChannelEndpoint>> lines;
    const auto accept = loop->listen({}, [&](std::unique_ptr<runtime::ByteStream> stream) {
      lines.push_back(server::make_channel_endpoint(
          *loop, *engine_, transport::make_line_channel(std::move(stream))));
    });
    ready.set_value({http.port(), (*accept)->port()});
    loop->run();
  }

  std::unique_ptr<server::Engine> engine_;
  std::atomic<runtime::Loop*> loop_ = nullptr;
  std::thread thread_;
};

Task<void> call_all(runtime::Loop& loop, Client& client, int& right) {
  const auto server = co_await client.connect();
  EXPECT_TRUE(server.has_value());
  std::vector<Task<Outcome<ToolResult>>> calls;
  for (int i = 0; i < kCalls; ++i) {
    json::Value arguments = json::Value::object();
    arguments.set("n", i);
    calls.push_back(client.call_tool("echo", std::move(arguments)));
    calls.back().start();
  }
  for (int i = 0; i < kCalls; ++i) {
    auto& call = calls[static_cast<std::size_t>(i)];
    while (!call.done()) co_await runtime::sleep(loop, std::chrono::milliseconds(1));
    const auto outcome = call.take();
    right += outcome && outcome->text() == R"({"n":)" + std::to_string(i) + "}" ? 1 : 0;
  }
  co_await client.close();
  loop.stop();
}

int right_calls(runtime::SystemLoop& loop, std::unique_ptr<Link> link, Negotiation negotiation) {
  Options options;
  options.negotiation = negotiation;
  Client client(loop, std::move(link), options);
  int right = 0;
  const Task<void> all = call_all(loop, client, right);
  all.start();
  while (!all.done()) loop.run();
  return right;
}

TEST(AThousandCalls, OverHttpAllGetTheirOwnAnswers) {
  const ThreadedServer server;
  for (const Negotiation negotiation : {Negotiation::automatic, Negotiation::legacy}) {
    const auto loop = runtime::SystemLoop::make();
    auto link = over_http(*loop, "http://127.0.0.1:" + std::to_string(server.http_port) + "/mcp");
    EXPECT_EQ(right_calls(*loop, *std::move(link), negotiation), kCalls);
  }
}

TEST(AThousandCalls, OnOneStreamAllGetTheirOwnAnswers) {
  const ThreadedServer server;
  for (const Negotiation negotiation : {Negotiation::automatic, Negotiation::legacy}) {
    const auto loop = runtime::SystemLoop::make();
    std::unique_ptr<runtime::ByteStream> stream;
    loop->connect("127.0.0.1", server.line_port, std::chrono::seconds(5),
                  [&](Result<std::unique_ptr<runtime::ByteStream>> connected) {
                    stream = std::move(connected).value();
                    loop->stop();
                  });
    loop->run();
    auto channel = transport::make_line_channel(std::move(stream));
    EXPECT_EQ(right_calls(*loop, over_channel(*loop, std::move(channel)), negotiation), kCalls);
  }
}

}  // namespace
}  // namespace squall::client::test
