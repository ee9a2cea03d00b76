#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/server/serve.h"

#include "engine_state.h"
#include "fixture_registry.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;

constexpr int kLoops = 3;
constexpr int kCalls = 60;

std::string request(int id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":)" + std::string(params) + "}";
}

/// One loop on its own thread with a legacy peer that calls, cancels and listens as fast as it can.
class Peer final : public transport::MessageChannel::Receiver {
 public:
  Peer(Engine& engine, int number) : engine_(engine), number_(number) {
    auto [near, far] = transport::make_channel_pair(*loop_);
    endpoint_ = make_channel_endpoint(*loop_, engine, std::move(near));
    channel_ = std::move(far);
  }
  void run() {
    loop_->post([this] {
      channel_->start(*this);
      channel_->send(request(0, "initialize",
                             R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                             R"("clientInfo":{"name":"p","version":"0"}})"));
      channel_->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
      channel_->send(request(1, "resources/subscribe", R"({"uri":"demo://greeting"})"));
      channel_->send(request(2, "subscriptions/listen",
                             R"({"notifications":{"toolsListChanged":true},"_meta":{)"
                             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}}})"));
      call();
    });
    loop_->run();
    endpoint_ = nullptr;
    channel_ = nullptr;
  }

  void on_message(std::string text) override {
    if (text.find(R"("text":"x")") == std::string::npos) return;
    ++answered;
    if (answered == kCalls) return loop_->stop();
    call();
  }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

  int answered = 0;

 private:
  void call() {
    const int id = 10 + 2 * answered;
    channel_->send(request(id, "tools/call", R"({"name":"hang"})"));
    channel_->send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                   std::to_string(id) + "}}");
    engine_.resource_updated("demo://greeting");
    if (answered % 3 == number_ % 3) engine_.tools_changed();
    // A session of another peer's making, used and ended from here.
    auto& state = engine_.state();
    const auto session = state.make_session(mcp::kLatestLegacy, {}, loop_->now());
    if (session) {
      session->initialized = true;
      static_cast<void>(state.find_session(session->id, loop_->now()));
      if (answered % 2 == 0) static_cast<void>(state.remove_session(session->id));
    }
    channel_->send(request(id + 1, "tools/call", R"({"name":"echo","arguments":{"text":"x"}})"));
  }

  Engine& engine_;
  int number_;
  std::unique_ptr<runtime::SystemLoop> loop_ = runtime::SystemLoop::make();
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> channel_;
};

TEST(EngineConcurrently, ServesManyLoopsAtOnce) {
  EngineOptions options;
  options.sessions_max = 16;
  Engine engine(*test::fixture_registry().compile(), options);
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < kLoops; ++i) peers.push_back(std::make_unique<Peer>(engine, i));
  std::vector<std::thread> threads;
  for (const auto& peer : peers) threads.emplace_back([raw = peer.get()] { raw->run(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& peer : peers) EXPECT_EQ(peer->answered, kCalls);
  EXPECT_LE(engine.session_count(), options.sessions_max);
}

TEST(EngineConcurrently, CancelsASessionsCallsFromAnotherLoop) {
  Engine engine(*test::fixture_registry().compile());
  const auto session = engine.state().make_session(mcp::kLatestLegacy, {}, runtime::TimePoint{});
  std::atomic<int> taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kLoops; ++i) {
    threads.emplace_back([&] {
      for (int id = 0; id < 200; ++id) {
        if (session->reserve(jsonrpc::Id(id), 1'000)) ++taken;
        session->cancel(jsonrpc::Id(id));
        session->push("to nobody");
        static_cast<void>(session->subscribe("demo://" + std::to_string(id), 50));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 200);
  EXPECT_FALSE(session->reserve(jsonrpc::Id(0), 1'000));
}

}  // namespace
}  // namespace squall::server
