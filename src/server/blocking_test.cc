#include "squall/server/blocking.h"

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "squall/server/serve.h"

// Handlers on threads of their own, and loops that wait for them.

namespace squall::server {
namespace {

struct Name {
  std::string_view name;  // a view of the message, which must outlive the request
};
SQUALL_DESCRIBE(Name, name)

struct Tenant {
  std::string name = "acme";
};

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

std::string call_of(std::string_view tool, std::string_view arguments = "{}", int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":")" + std::string(tool) + R"(","arguments":)" +
         std::string(arguments) + R"(,"_meta":{"progressToken":"p"}}})";
}

/// A server on the machine's own loop, which threads may post to, and its peer.
class Bench final : public transport::MessageChannel::Receiver {
 public:
  explicit Bench(const Registry& registry, EngineOptions options = {})
      : engine_(*registry.compile(), options) {
    auto [near, far] = transport::make_channel_pair(*loop_);
    endpoint_ = make_channel_endpoint(*loop_, engine_, std::move(near));
    peer_ = std::move(far);
    peer_->start(*this);
  }
  /// Gives what comes of a message without waiting for any thread.
  std::vector<std::string> say(std::string_view text) {
    peer_->send(text);
    for (int turn = 0; turn < 20; ++turn) {
      loop_->post([this] { loop_->stop(); });
      loop_->run();
    }
    return std::exchange(heard_, {});
  }
  /// Goes on until nothing is waited for any more.
  std::vector<std::string> run() {
    loop_->run();
    return std::exchange(heard_, {});
  }
  std::vector<std::string> run(std::string_view text) {
    peer_->send(text);
    return run();
  }

 private:
  void on_message(std::string text) override { heard_.push_back(std::move(text)); }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

  const std::unique_ptr<runtime::SystemLoop> loop_ = runtime::SystemLoop::make();
  Engine engine_;
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::unique_ptr<transport::MessageChannel> peer_;
  std::vector<std::string> heard_;
};

TEST(Blocking, RunsOnAnotherThreadAndGivesItsResult) {
  Registry registry = empty_registry();
  registry.context([](Context&) { return Tenant(); });
  std::thread::id ran;
  registry.query<Name>("greet").handle(
      blocking([&ran](BlockingCall& call, Tenant& tenant, const Name& in) {
        ran = std::this_thread::get_id();
        call.progress(1, 2, "half");
        return "Hi " + std::string(in.name) + " of " + tenant.name;
      }));
  Bench bench(registry);
  const auto heard = bench.run(call_of("greet", R"({"name":"Ada"})"));
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_NE(heard[0].find("notifications/progress"), std::string::npos);
  EXPECT_NE(heard[1].find("Hi Ada of acme"), std::string::npos);
  EXPECT_NE(ran, std::this_thread::get_id());
}

TEST(Blocking, MayFailOrThrow) {
  Registry registry = empty_registry();
  registry.query("fails").handle(blocking(
      [](BlockingCall&) -> Result<std::string> { return fail(ErrorKind::timeout, "late"); }));
  registry.query("throws").handle(
      blocking([](BlockingCall&) -> std::string { throw tool_error("CONFLICT", "no"); }));
  registry.query("breaks").handle(
      blocking([](BlockingCall&) -> std::string { throw std::runtime_error("secret"); }));
  Bench bench(registry);
  EXPECT_NE(bench.run(call_of("fails")).at(0).find("TIMEOUT"), std::string::npos);
  EXPECT_NE(bench.run(call_of("throws")).at(0).find("CONFLICT"), std::string::npos);
  const std::string broken = bench.run(call_of("breaks")).at(0);
  EXPECT_NE(broken.find("INTERNAL_ERROR"), std::string::npos);
  EXPECT_EQ(broken.find("secret"), std::string::npos);
}

TEST(Blocking, EndsAtOnceForItsCallerWhenCancelledAndIsTold) {
  Registry registry = empty_registry();
  std::latch begun(1);
  std::latch told(1);
  registry.query("wait").handle(blocking([&](BlockingCall& call) {
    begun.count_down();
    const std::stop_callback callback(call.token(), [&] { told.count_down(); });
    told.wait();
    call.progress(1);  // goes nowhere
    return call.cancelled() ? "cancelled" : "not";
  }));
  Bench bench(registry);
  EXPECT_TRUE(bench.say(call_of("wait")).empty());
  begun.wait();
  bench.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  told.wait();
  EXPECT_TRUE(bench.run().empty());  // nothing holds the loop any more
}

TEST(Blocking, ThatIgnoresItsCancellationOutlivesItsRequestAndItsMessage) {
  Registry registry = empty_registry();
  std::latch begun(1);
  std::latch go(1);
  std::string seen;
  registry.query<Name>("stubborn").handle(blocking([&](BlockingCall&, const Name& in) {
    begun.count_down();
    go.wait();
    seen = in.name;
    return "done";
  }));
  {
    Bench bench(registry);
    bench.say(call_of("stubborn", R"({"name":"Ada Lovelace"})"));
    begun.wait();
    bench.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    go.count_down();
  }  // the engine waits for its threads
  EXPECT_EQ(seen, "Ada Lovelace");
}

TEST(Blocking, IsToldToStopWhenTheServerEnds) {
  Registry registry = empty_registry();
  std::latch begun(1);
  registry.query("wait").handle(blocking([&](BlockingCall& call) {
    begun.count_down();
    std::latch told(1);
    const std::stop_callback callback(call.token(), [&] { told.count_down(); });
    told.wait();
    return "stopped";
  }));
  Bench bench(registry);
  bench.say(call_of("wait"));
  begun.wait();
}

TEST(Blocking, IsBusyWhenThreadsAndQueueAreTaken) {
  Registry registry = empty_registry();
  std::latch go(1);
  std::atomic<int> runs = 0;
  registry.query("wait").handle(blocking([&](BlockingCall&) {
    ++runs;
    go.wait();
    return "done";
  }));
  EngineOptions options;
  options.blocking.threads = 2;
  options.blocking.queue_max = 3;
  Bench bench(registry, options);
  std::vector<std::string> heard;
  for (int id = 1; id <= 8; ++id) {
    for (std::string& one : bench.say(call_of("wait", "{}", id))) heard.push_back(std::move(one));
  }
  EXPECT_GE(heard.size(), 3U);
  for (const std::string& one : heard) {
    EXPECT_NE(one.find("SERVER_BUSY"), std::string::npos);
    EXPECT_NE(one.find("retry_after_ms"), std::string::npos);
  }
  go.count_down();
  EXPECT_EQ(heard.size() + bench.run().size(), 8U);
  EXPECT_EQ(static_cast<std::size_t>(runs), 8 - heard.size());
}

}  // namespace
}  // namespace squall::server
