#include "squall/server/stage.h"

#include <gtest/gtest.h>

#include "pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using test::PairBench;
using test::text_of;
using Log = std::vector<std::string>;

/// Notes when it is entered and left.
class Noting final : public Stage {
 public:
  Noting(std::string name, Log& log) : name_(std::move(name)), log_(log) {}
  Task<Outcome<ToolResult>> around(std::string_view tool, Context&, const Next& next) override {
    log_.push_back(name_ + " in " + std::string(tool));
    Task<Outcome<ToolResult>> inner = next();
    Outcome<ToolResult> outcome = co_await std::move(inner);
    log_.push_back(name_ + " out");
    co_return outcome;
  }

 private:
  std::string name_;
  Log& log_;
};

class Replacing final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next&) override {
    co_return ToolResult::text("instead");
  }
};

class Throwing final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next&) override {
    throw std::runtime_error("secret");
    co_return ToolResult();
  }
};

class Retrying final : public Stage {
 public:
  Task<Outcome<ToolResult>> around(std::string_view, Context& context, const Next& next) override {
    for (int i = 0; i < 2; ++i) {
      Task<Outcome<ToolResult>> attempt = next();
      Outcome<ToolResult> outcome = co_await std::move(attempt);
      if (outcome.result() == nullptr || !outcome.result()->is_error) co_return outcome;
      co_await context.sleep(10ms);
    }
    co_return ToolResult::error("gave up");
  }
};

Registry registry_with(std::shared_ptr<Stage> stage) {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  Registry registry(info);
  if (stage) registry.use(std::move(stage));
  registry.tool("plain").handle([](Context&) { return ToolResult::text("plain"); });
  return registry;
}

TEST(Stage, TheFirstOneAddedIsOutermost) {
  Log log;
  Registry registry = registry_with(std::make_shared<Noting>("a", log));
  registry.use(std::make_shared<Noting>("b", log));
  PairBench bench(registry);
  EXPECT_EQ(text_of(bench.call("plain")), "plain");
  EXPECT_EQ(log, (Log{"a in plain", "b in plain", "b out", "a out"}));
}

TEST(Stage, MayPutAnotherResultInPlace) {
  PairBench bench(registry_with(std::make_shared<Replacing>()));
  EXPECT_EQ(text_of(bench.call("plain")), "instead");
}

TEST(Stage, ThatThrowsFailsTheCallAndShowsNothing) {
  PairBench bench(registry_with(std::make_shared<Throwing>()));
  const json::Value response = bench.call("plain");
  EXPECT_EQ(text_of(response), internal_error().text());
  EXPECT_TRUE(response.find("result")->find("isError")->boolean());
  EXPECT_EQ(text_of(bench.call("plain")), internal_error().text());
}

TEST(Stage, OutsideOneThatThrowsGoesOn) {
  Log log;
  Registry registry = registry_with(std::make_shared<Noting>("a", log));
  registry.use(std::make_shared<Throwing>());
  PairBench bench(registry);
  bench.call("plain");
  EXPECT_EQ(log, (Log{"a in plain", "a out"}));
}

TEST(Stage, MayRunTheRestAgain) {
  Registry registry = registry_with(std::make_shared<Retrying>());
  int calls = 0;
  registry.tool("flaky").handle([&calls](Context&) {
    return ++calls == 1 ? ToolResult::error("first") : ToolResult::text("second");
  });
  PairBench bench(registry);
  EXPECT_TRUE(bench.call("flaky").is_null());
  const std::vector<std::string> heard = bench.hear(10ms);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_NE(heard[0].find("second"), std::string::npos);
  EXPECT_EQ(calls, 2);
}

TEST(Stage, IsDestroyedWhereItWaitsWhenTheCallIsCancelled) {
  Log log;
  Registry registry = registry_with(std::make_shared<Noting>("a", log));
  registry.tool("slow").handle([](Context& context) -> Task<ToolResult> {
    co_await context.sleep(1s);
    co_return ToolResult();
  });
  PairBench bench(registry);
  EXPECT_TRUE(bench.call("slow").is_null());
  bench.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(bench.hear(2s).empty());
  EXPECT_EQ(log, Log{"a in slow"});
}

}  // namespace
}  // namespace squall::server
