#include "squall/server/observe/observe.h"

#include <gtest/gtest.h>

#include "squall/server/guards/guards.h"

#include "../pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using test::PairBench;

constexpr std::string_view kParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Keeps all that observers hear.
struct Heard final : TelemetrySink, Tracer, DebugObserver {
  void on_execute(const CallFacts& facts) override { calls.push_back(facts); }
  void on_span(const Span& span) override {
    spans.push_back(span.trace_id + " " + span.span_id + " " + span.facts->tool);
  }
  void on_step(const Event& event) override {
    constexpr std::string_view kSteps[] = {"route", "validate", "wait", "execute"};
    steps += std::string(kSteps[static_cast<std::size_t>(event.step)]) + (event.good ? "+ " : "- ");
  }
  std::vector<CallFacts> calls;
  std::vector<std::string> spans;
  std::string steps;
};

class ObserveTest : public testing::Test {
 protected:
  ObserveTest() {
    Observers observers;
    observers.debug = heard;
    observers.tracer = heard;
    observers.telemetry = heard;
    observers.arguments = true;
    observers.redaction = *Redaction::compile({"/key"});
    EngineOptions options;
    options.observers = std::make_shared<const Observers>(observers);
    mcp::Implementation info;
    info.name = "t";
    info.version = "1";
    Registry registry(info);
    constexpr std::string_view kInput =
        R"({"type":"object","properties":{"key":{"type":"string"}}})";
    const auto work = [](Context& context) -> Task<ToolResult> {
      co_await context.sleep(10ms);
      co_return ToolResult::text("done");
    };
    registry.query("t.quick").input(kInput).handle([](Context&) { return ToolResult::text("x"); });
    registry.query("t.fail").handle(
        [](Context&) -> ToolResult { return tool_error("NOT_FOUND", "none"); });
    registry.query("t.crash").handle([](Context&) -> ToolResult {
      return ToolResult::text(std::string(1, std::string().at(7)));
    });
    registry.query("t.ask").handle([](Context& context) -> Outcome<ToolResult> {
      if (context.ask("roots", list_roots()) == nullptr) return context.need_input();
      return ToolResult::text("x");
    });
    ConcurrencyOptions one;
    one.queue_max = 1;
    registry.query("t.slow").guard(limit_concurrency(one)).handle(work);
    bench = std::make_unique<PairBench>(registry, options);
  }

  std::vector<std::string> call(int id, std::string_view action, std::string_view more = "",
                                std::string_view tool = "t") {
    return bench->say(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                      R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
                      R"(","arguments":{"action":")" + std::string(action) + "\"" +
                      std::string(more) + R"(},"_meta":{"traceparent":")" + std::string(kParent) +
                      R"(","io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}})");
  }
  std::string last() const {
    if (heard->calls.empty()) return "";
    const CallFacts& facts = heard->calls.back();
    return facts.tool + "." + facts.action + " " + std::string(to_text(facts.ending)) + " " +
           facts.code + (facts.valid ? " valid" : "") + (facts.shed ? " shed" : "");
  }
  const std::shared_ptr<Heard> heard = std::make_shared<Heard>();
  std::unique_ptr<PairBench> bench;
};

TEST_F(ObserveTest, TellsEachCallOnceToAllThreeTogether) {
  const struct {
    std::string_view tool, action, more, told, steps;
  } kCases[] = {
      {"t", "quick", "", "t.quick ok  valid", "route+ validate+ execute+ "},
      {"t", "fail", "", "t.fail tool_error NOT_FOUND valid", "route+ validate+ execute- "},
      {"t", "crash", "", "t.crash tool_error INTERNAL_ERROR valid", "route+ validate+ execute- "},
      {"t", "ask", "", "t.ask asks  valid", "route+ validate+ execute+ "},
      {"t", "quick", R"(,"key":7)", "t.quick tool_error VALIDATION_ERROR",
       "route+ validate- execute- "},
      {"t", "none", "", "t. tool_error UNKNOWN_ACTION", "route+ execute- "},
      {"none", "x", "", "none. protocol_error UNKNOWN_TOOL", "route+ execute- "}};
  std::size_t calls = 0;
  for (const auto& one : kCases) {
    heard->steps.clear();
    call(1, one.action, one.more, one.tool);
    ++calls;
    EXPECT_EQ(last(), one.told);
    EXPECT_EQ(heard->steps, one.steps) << one.told;
    EXPECT_EQ(heard->calls.size(), calls) << one.told;
    EXPECT_EQ(heard->spans.size(), calls) << one.told;
  }
}

TEST_F(ObserveTest, ShowsWaitingAndSheddingInTheSameEventsAndSpans) {
  call(1, "slow");
  call(2, "slow");
  call(3, "slow");
  EXPECT_EQ(last(), "t.slow tool_error SERVER_BUSY valid shed");
  bench->hear(20ms);
  ASSERT_EQ(heard->calls.size(), 3U);
  EXPECT_EQ(heard->spans.size(), 3U);
  EXPECT_EQ(heard->calls[1].waited, 0ms);
  EXPECT_EQ(heard->calls[1].took, 10ms);
  EXPECT_EQ(heard->calls[2].waited, 10ms);
  EXPECT_EQ(heard->calls[2].took, 20ms);
}

TEST_F(ObserveTest, TellsOfCancelledCallsTheyToo) {
  call(1, "slow");
  call(2, "slow");
  bench->say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  EXPECT_EQ(last(), "t.slow cancelled  valid");
  bench->hear(20ms);
  EXPECT_EQ(heard->calls.size(), 2U);
  EXPECT_EQ(heard->spans.size(), 2U);
}

TEST_F(ObserveTest, RedactsArgumentsAndContinuesTheCallersTrace) {
  call(1, "quick", R"(,"key":"secret")");
  ASSERT_EQ(heard->calls.size(), 1U);
  EXPECT_EQ(json::to_string(heard->calls[0].arguments), R"({"action":"quick","key":"[REDACTED]"})");
  EXPECT_EQ(heard->calls[0].trace.parent_id, "b7ad6b7169203331");
  EXPECT_TRUE(heard->spans[0].starts_with("0af7651916cd43dd8448eb211c80319c "));
}

TEST(TraceContext, TakesWhatIsWellFormedAlone) {
  const auto read = [](std::string_view parent, std::string_view state = "") {
    return read_trace_context(
        json::Value::object({{"traceparent", parent}, {"tracestate", state}}));
  };
  EXPECT_EQ(read(kParent, "a=1").state, "a=1");
  EXPECT_EQ(read(kParent).flags, 1);
  EXPECT_EQ(read(kParent, std::string(513, 'x')).state, "");
  std::string later(kParent);
  later[1] = '1';
  EXPECT_NE(read(later + "-more").trace_id, "");
  const std::vector<std::string> bad{"",
                                     "00",
                                     std::string(kParent) + "-more",
                                     std::string(kParent.substr(0, 54)),
                                     "ff" + std::string(kParent.substr(2)),
                                     "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                     "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                                     "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                                     "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x"};
  for (const std::string& parent : bad) EXPECT_EQ(read(parent).trace_id, "") << parent;
}

}  // namespace
}  // namespace squall::server
