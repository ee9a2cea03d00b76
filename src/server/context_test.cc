#include "squall/server/context.h"

#include <gtest/gtest.h>

#include "squall/server/registry.h"

#include "fixture_registry.h"
#include "pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using test::PairBench;
using test::text_of;

Registry registry_with(std::function<ToolResult(Context&)> handler) {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  Registry registry(info);
  registry.tool("t").handle(std::move(handler));
  return registry;
}

std::string call(std::string_view params) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",)" +
         std::string(params) + "}}";
}

TEST(Context, GivesArgumentsByNameAndKind) {
  std::string seen;
  PairBench bench(registry_with([&seen](Context& context) {
    seen = std::string(context.text("s")) + "|" + std::string(context.text("n")) + "|" +
           std::to_string(context.integer("n")) + "|" + std::to_string(context.integer("s", -1)) +
           "|" + std::to_string(context.integer("none", 7)) + "|" +
           json::to_string(context.arguments());
    return ToolResult();
  }));
  bench.say(call(R"("arguments":{"s":"x","n":3.0})"));
  EXPECT_EQ(seen, R"(x||3|-1|7|{"s":"x","n":3.0})");
}

TEST(Context, KnowsTheRequestItIsOf) {
  std::string seen;
  PairBench bench(registry_with([&seen](Context& context) {
    seen = std::string(mcp::to_text(context.revision())) + " [" +
           std::string(context.session_id()) + "] " + (context.client().sampling ? "s" : "-") +
           " " + json::to_string(context.meta());
    return ToolResult();
  }));
  bench.say(call(R"("_meta":{"k":1})"));
  EXPECT_EQ(seen, R"(2025-11-25 [] - {"k":1})");
  bench.say(call(R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                 R"("io.modelcontextprotocol/clientCapabilities":{"sampling":{}}})"));
  EXPECT_TRUE(seen.starts_with("2026-07-28 [] s ")) << seen;
}

TEST(Context, SendsProgressOnlyWhenItGrows) {
  PairBench bench(registry_with([](Context& context) {
    for (const double step : {1.0, 1.0, 0.5, 2.5}) context.progress(step);
    return ToolResult();
  }));
  const auto heard = bench.say(call(R"("_meta":{"progressToken":"p"})"));
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_NE(heard[0].find(R"("progress":1)"), std::string::npos);
  EXPECT_NE(heard[1].find(R"("progress":2.5)"), std::string::npos);
}

TEST(Context, SaysNothingMoreOnceTheRequestIsOver) {
  Registry registry = registry_with([](Context&) { return ToolResult(); });
  bool cancelled = false;
  registry.tool("slow").handle([&cancelled](Context& context) -> Task<ToolResult> {
    co_await context.sleep(1s);
    cancelled = context.cancelled();
    co_return ToolResult();
  });
  PairBench bench(registry);
  EXPECT_TRUE(bench.call("slow").is_null());
  bench.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(bench.hear(2s).empty());
  EXPECT_FALSE(cancelled) << "a coroutine is destroyed where it waits";
}

TEST(Context, WaitsOnlyWhileAllThatWaitsIsBounded) {
  EngineOptions options;
  options.waiting_bytes_max = 300'000;
  PairBench bench(test::fixture_registry(), options);
  EXPECT_TRUE(bench.call("hang").is_null());
  // Values take more memory than their text: these 80 KB are 640 KB.
  std::string zeros = "0";
  for (int i = 1; i < 40'000; ++i) zeros += ",0";
  const auto refused = bench.say(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hang","arguments":{},)"
      R"("_meta":{"zeros":[)" +
      zeros + "]}}}");
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_NE(refused[0].find("too much is waiting"), std::string::npos);
  // What was refused or cancelled waits no longer.
  bench.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(bench.call("hang").is_null());
}

TEST(Context, IsLetGoOfWithItsServerWhereverItWaits) {
  struct Witness {
    bool& gone;
    ~Witness() { gone = true; }
  };
  bool gone = false;
  Registry registry = registry_with([](Context&) { return ToolResult(); });
  registry.tool("slow").handle([&gone](Context& context) -> Task<ToolResult> {
    const Witness witness{gone};
    co_await context.sleep(1s);
    co_return ToolResult();
  });
  {
    PairBench bench(registry);
    EXPECT_TRUE(bench.call("slow").is_null());
    EXPECT_FALSE(gone);
  }
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace squall::server
