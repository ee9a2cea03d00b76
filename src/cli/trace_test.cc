#include "trace.h"

#include <gmock/gmock.h>

#include "squall/server/engine.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"
#include "squall/transport/channel.h"

namespace squall::cli {
namespace {

using namespace std::chrono_literals;
using server::Context;
using server::Outcome;
using server::ToolResult;

TEST(MillisecondsText, HasTwoDecimals) {
  EXPECT_EQ(milliseconds_text(517460us), "517.46 ms");
  EXPECT_EQ(milliseconds_text(0ns), "0.00 ms");
}

/// Keeps its lines, without the time.
class KeptLog final : public server::Log {
 public:
  KeptLog() : Log(server::Severity::debug) {}
  std::vector<std::string> lines;

 private:
  void take(server::Severity severity, std::string_view event,
            std::initializer_list<server::LogField> fields) override {
    lines.push_back(
        server::log_line(server::LogFormat::text, {}, severity, event, fields).substr(25));
  }
};

struct Ignore final : transport::MessageChannel::Receiver {
  void on_message(std::string) override {}
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}
};

TEST(TraceStage, LogsEachCallHoweverItEnds) {
  const auto log = std::make_shared<KeptLog>();
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  server::Registry registry(std::move(info));
  registry.tool("fine").describe("x").handle([](Context& context) -> Task<ToolResult> {
    co_await context.sleep(20ms);
    co_return ToolResult::text("x");
  });
  registry.tool("bad").describe("x").handle([](Context&) { return ToolResult::error("x"); });
  registry.tool("refusing").describe("x").handle([](Context&) -> Outcome<ToolResult> {
    return server::ProtocolError(-32603, "x");
  });
  registry.tool("endless").describe("x").handle([](Context& context) -> Task<ToolResult> {
    co_await context.wait_forever();
    co_return ToolResult();
  });
  registry.use(std::make_shared<TraceStage>(log));
  auto pipeline = registry.compile();
  ASSERT_TRUE(pipeline.has_value());

  const auto loop = runtime::SimulatedLoop::make();
  server::Engine engine(*std::move(pipeline));
  auto pair = transport::make_channel_pair(*loop);
  Ignore ignore;
  pair.first->start(ignore);
  const auto endpoint = server::make_channel_endpoint(*loop, engine, std::move(pair.second));
  int id = 0;
  for (const char* tool : {"fine", "bad", "refusing", "endless"}) {
    pair.first->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id) +
                     R"(,"method":"tools/call","params":{"name":")" + tool +
                     R"(","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                     R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    loop->advance(100ms);
  }
  pair.first->send(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}})");
  loop->advance(1ms);
  EXPECT_THAT(log->lines,
              testing::ElementsAre("debug call tool=fine ms=20.00 outcome=ok",
                                   "debug call tool=bad ms=0.00 outcome=\"tool error\"",
                                   "debug call tool=refusing ms=0.00 outcome=refused",
                                   "debug call tool=endless ms=100.00 outcome=cancelled"));
}

}  // namespace
}  // namespace squall::cli
