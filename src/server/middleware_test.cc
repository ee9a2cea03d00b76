#include "squall/server/middleware.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using test::PairBench;
using test::text_of;
using Notes = std::vector<std::string>;

class Noting final : public Stage {
 public:
  Noting(std::string name, Notes& notes) : name_(std::move(name)), notes_(notes) {}
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next& next) override {
    notes_.push_back(name_);
    return next();
  }

 private:
  std::string name_;
  Notes& notes_;
};

class Upper final : public Presenter {
 public:
  ToolResult present(Context&, ToolResult result) const override {
    result.add(Content::text("presented"));
    return result;
  }
};

class Broken final : public Presenter {
 public:
  ToolResult present(Context&, ToolResult) const override { throw std::runtime_error("secret"); }
};

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

auto noting(std::string name, Notes& notes) {
  return [name = std::move(name), &notes](Context&) -> Checked {
    notes.push_back(name);
    return {};
  };
}

void initialize(PairBench& bench) {
  bench.say(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
}

std::string answer_to(const json::Value& question) {
  return R"({"jsonrpc":"2.0","id":)" + json::to_string(*question.find("id")) +
         R"(,"result":{"roots":[]}})";
}

Outcome<ToolResult> asking(Context& context) {
  if (context.ask("roots", list_roots()) == nullptr) return context.need_input();
  return ToolResult::text("done");
}

std::string modern(std::string_view more) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask",)" +
         std::string(more) +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}})";
}

TEST(Middleware, RunsFromTheRegistryThroughRoutersToTheAction) {
  Notes notes;
  Registry registry = empty_registry();
  Router outer = registry.router("a");
  Router inner = outer.router("b");
  auto action = inner.query("c");
  action.use(noting("action", notes)).handle([](Context&) { return "x"; });
  action.guard(std::make_shared<Noting>("guard", notes));
  inner.use(std::make_shared<Noting>("inner", notes));
  outer.use(noting("outer", notes));
  registry.use(noting("registry", notes));
  PairBench bench(registry);
  bench.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",)"
            R"("arguments":{"action":"b.c"}}})");
  EXPECT_EQ(notes, Notes({"guard", "registry", "outer", "inner", "action"}));
}

TEST(Middleware, IsNotReachedByInvalidCalls) {
  Notes notes;
  Registry registry = empty_registry();
  registry.use(noting("check", notes));
  registry.query("a").guard(std::make_shared<Noting>("guard", notes)).handle([](Context&) {
    return "x";
  });
  PairBench bench(registry);
  bench.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",)"
            R"("arguments":{"no":1}}})");
  EXPECT_TRUE(notes.empty());
}

TEST(Check, ThatRefusesOrThrowsEndsTheCall) {
  for (const bool throws : {false, true}) {
    Registry registry = empty_registry();
    int runs = 0;
    registry.query("a")
        .use([throws](Context&) -> Checked {
          if (throws) throw std::runtime_error("secret");
          return refuse("FORBIDDEN", "no");
        })
        .handle([&runs](Context&) {
          ++runs;
          return "x";
        });
    PairBench bench(registry);
    const std::string text = text_of(bench.call("a"));
    EXPECT_NE(text.find(throws ? "INTERNAL_ERROR" : "FORBIDDEN"), std::string::npos);
    EXPECT_EQ(text.find("secret"), std::string::npos);
    EXPECT_EQ(runs, 0);
  }
}

TEST(Presenter, SeesResultsOfEveryKindOfHandlerButNoErrors) {
  Registry registry = empty_registry();
  const auto upper = std::make_shared<Upper>();
  registry.query("plain").presents(upper).handle([](Context&) { return "x"; });
  registry.query("raw").presents(upper).handle([](Context&) { return ToolResult::text("x"); });
  registry.query("later").presents(upper).handle(
      [](Context&) -> Task<std::string> { co_return "x"; });
  registry.query("error").presents(upper).handle([](Context&) { return tool_error("A", "b"); });
  registry.query("broken").presents(std::make_shared<Broken>()).handle([](Context&) {
    return "unpresented";
  });
  PairBench bench(registry);
  for (const std::string_view tool : {"plain", "raw", "later"}) {
    const json::Value response = bench.call(tool);
    EXPECT_EQ(response.find("result")->find("content")->size(), 2U) << tool;
  }
  EXPECT_EQ(bench.call("error").find("result")->find("content")->size(), 1U);
  const std::string broken = text_of(bench.call("broken"));
  EXPECT_NE(broken.find("INTERNAL_ERROR"), std::string::npos);
}

TEST(Rounds, OfOneLegacyCallRunStagesOnceUnlessAsked) {
  Notes notes;
  Registry registry = empty_registry();
  registry.query("ask")
      .use(std::make_shared<Noting>("once", notes))
      .use(std::make_shared<Noting>("each", notes), Rounds::every)
      .presents(std::make_shared<Upper>())
      .handle(asking);
  PairBench bench(registry);
  initialize(bench);
  const json::Value question = bench.call("ask");
  const std::vector<std::string> heard = bench.say(answer_to(question));
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_NE(heard[0].find("presented"), std::string::npos);
  EXPECT_EQ(notes, Notes({"once", "each", "each"}));
}

TEST(Rounds, OfOneModernCallRunStagesOnceAndGuardsAndChecksEachTime) {
  Notes notes;
  Registry registry = empty_registry();
  registry.query("ask")
      .guard(std::make_shared<Noting>("guard", notes))
      .use(noting("check", notes))
      .use(std::make_shared<Noting>("once", notes))
      .handle(asking);
  PairBench bench(registry);
  const json::Value first = json::parse(bench.say(modern("")).at(0)).value_or(json::Value());
  const auto state = first.find("result")->find_string("requestState");
  ASSERT_TRUE(state.has_value());
  const std::string responses = R"("inputResponses":{"roots":{"roots":[]}},)";
  const std::string second =
      bench.say(modern(R"("requestState":")" + std::string(*state) + "\"," + responses)).at(0);
  EXPECT_NE(second.find("done"), std::string::npos);
  EXPECT_EQ(notes, Notes({"guard", "check", "once", "guard", "check"}));
  // Answers without our state are no continuation, and skip nothing.
  bench.say(modern(responses));
  EXPECT_EQ(notes.size(), 8U);
  EXPECT_EQ(notes.back(), "once");
}

TEST(Rounds, OfAPlainHandlerEndAtThePresenterToo) {
  Registry registry = empty_registry();
  registry.query("ask").presents(std::make_shared<Upper>()).handle(asking);
  PairBench bench(registry);
  initialize(bench);
  EXPECT_NE(bench.say(answer_to(bench.call("ask"))).at(0).find("presented"), std::string::npos);
}

}  // namespace
}  // namespace squall::server
