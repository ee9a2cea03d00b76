#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/server/observe/adapters.h"
#include "squall/testing/tester.h"

#include "kept_exchange.h"

// That watching a server changes nothing of what it says.

namespace squall::acceptance {
namespace {

using namespace server;

Registry registry() {
  Registry out({.name = "watched", .version = "1"});
  out.query("t.returns").handle([](Context&) -> ToolResult {
    return tool_error("NOT_FOUND", "no <such> thing").recovery("List them.").action("list");
  });
  out.query("t.throws").handle([](Context&) -> ToolResult {
    throw tool_error("NOT_FOUND", "no <such> thing").recovery("List them.").action("list");
  });
  out.query("t.throws_later").handle([](Context& context) -> Task<std::string> {
    co_await context.sleep(std::chrono::milliseconds(1));
    throw tool_error("NOT_FOUND", "no <such> thing").recovery("List them.").action("list");
  });
  out.query("t.blocks").handle(blocking([](BlockingCall&) -> std::string {
    throw tool_error("NOT_FOUND", "no <such> thing").recovery("List them.").action("list");
  }));
  out.query("t.crashes").handle([](Context&) -> std::string {
    throw std::runtime_error("the password is hunter2");
  });
  return out;
}

struct Heard final : DebugObserver, Tracer, TelemetrySink {
  void on_step(const Event& event) override { steps += event.step == Step::execute ? "x" : "."; }
  void on_span(const Span&) override { ++spans; }
  void on_execute(const CallFacts&) override { ++executes; }
  std::string steps;
  int spans = 0;
  int executes = 0;
};

std::shared_ptr<const Observers> observed_by(const std::shared_ptr<Heard>& heard, bool debug,
                                             bool tracer, bool telemetry) {
  Observers observers;
  if (debug) observers.debug = heard;
  if (tracer) observers.tracer = heard;
  if (telemetry) observers.telemetry = heard;
  return std::make_shared<const Observers>(observers);
}

TEST(Observation, ChangesNoByteOfAnyAnswerInAnyCombination) {
  std::vector<std::string> plain;
  for (int combination = 0; combination < 8; ++combination) {
    const auto heard = std::make_shared<Heard>();
    squall::testing::TesterOptions options;
    const bool debug = (combination & 1) != 0;
    const bool tracer = (combination & 2) != 0;
    const bool telemetry = (combination & 4) != 0;
    if (combination != 0) {
      options.engine.observers = observed_by(heard, debug, tracer, telemetry);
    }
    squall::testing::Tester tester(registry(), options);
    std::vector<std::string> wire;
    int calls = 0;
    for (const char* action : {"returns", "throws", "throws_later", "blocks", "crashes", "none"}) {
      wire.push_back(tester.call("t", action, json::Value::object()).wire);
      ++calls;
      EXPECT_EQ(heard->spans, tracer ? calls : 0) << action << " " << combination;
      EXPECT_EQ(heard->executes, telemetry ? calls : 0) << action << " " << combination;
      EXPECT_EQ(std::ranges::count(heard->steps, 'x'), debug ? calls : 0) << action;
    }
    if (combination == 0) plain = wire;
    EXPECT_EQ(wire, plain) << combination;
  }
}

TEST(ThrownToolError, IsTheSameAsAReturnedOneFromEveryKindOfHandler) {
  squall::testing::Tester tester(registry());
  const auto text = [&](const char* action) {
    return std::string(tester.call("t", action, json::Value::object()).text());
  };
  const std::string returned = text("returns");
  EXPECT_NE(returned.find("code=\"NOT_FOUND\""), std::string::npos) << returned;
  EXPECT_EQ(text("throws"), returned);
  EXPECT_EQ(text("throws_later"), returned);
  EXPECT_EQ(text("blocks"), returned);
  const squall::testing::Call crash = tester.call("t", "crashes", json::Value::object());
  EXPECT_EQ(crash.code, "INTERNAL_ERROR");
  EXPECT_EQ(crash.wire.find("hunter2"), std::string::npos);
}

TEST(MetricsOverHttp, AreShownWhenAskedForAndOnlyThen) {
  const auto metrics = std::make_shared<Metrics>();
  Observers observers;
  observers.telemetry = metrics;
  EngineOptions engine_options;
  engine_options.observers = std::make_shared<const Observers>(observers);
  const auto loop = runtime::SimulatedLoop::make();
  Engine engine(*registry().compile(), engine_options);
  HttpOptions shown;
  shown.metrics = [metrics] { return metrics->text(); };
  LocalHttp with(*loop, engine, shown);
  LocalHttp without(*loop, engine);
  const auto get = [](std::string_view host) {
    transport::HttpRequest request;
    request.method = "GET";
    request.target = request.path = "/metrics";
    request.headers = {{"Host", host}};
    return request;
  };
  with.start("POST", call_of(1, "t", R"({"action":"returns"})", true), "", "t");
  const auto text = with.start(get("127.0.0.1"));
  EXPECT_EQ(text->status, 200);
  EXPECT_NE(text->body.find(R"(action="returns")"), std::string::npos) << text->body;
  EXPECT_NE(text->body.find(R"(code="NOT_FOUND")"), std::string::npos) << text->body;
  EXPECT_EQ(without.start(get("127.0.0.1"))->status, 404);
  EXPECT_EQ(with.start(get("evil.example"))->status, 403);
}

}  // namespace
}  // namespace squall::acceptance
