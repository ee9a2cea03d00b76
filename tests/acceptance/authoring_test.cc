#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/server/declare.h"
#include "squall/server/presenter/data_presenter.h"
#include "squall/testing/tester.h"

#include "kept_exchange.h"

// That what is said of an action holds for it, however it was written, merged, shown and called.

namespace squall::acceptance {
namespace {

using namespace server;
using namespace std::chrono_literals;
using squall::testing::Call;
using squall::testing::Tester;
using squall::testing::TesterOptions;

Registry empty_registry() { return Registry({.name = "authored", .version = "1"}); }

struct User {
  std::string name;
  std::string secret;
};
SQUALL_DESCRIBE(User, name, secret)

const User kAda{"Ada", "hunter2"};

ToolResult raw_ada() { return ToolResult::of(schema::encode(kAda)); }

std::shared_ptr<const Presenter> public_user() {
  return *Presentation("user")
              .schema(R"({"type":"object","properties":{"name":{"type":"string"}}})")
              .rule("Be kind.")
              .build();
}

Task<User> later(Context& context) {
  co_await context.sleep(1ms);
  co_return kAda;
}

TEST(Presenters, HoldOnEveryAuthoringPath) {
  const auto presenter = public_user();
  Registry registry = empty_registry();
  registry.query("u.plain").presents(presenter).handle([] { return kAda; });
  registry.query("u.expected").presents(presenter).handle([]() -> Result<User> { return kAda; });
  registry.query("u.coroutine").presents(presenter).handle(&later);
  registry.query("u.blocking").presents(presenter).handle(blocking([] { return kAda; }));
  registry.query("u.raw").presents(presenter).handle([](Context&) { return raw_ada(); });
  registry.query("u.guarded").presents(presenter).egress(64_KiB).handle([] { return kAda; });
  registry.query("u.staged").presents(presenter).concurrency(1).handle(&later);
  Router router = registry.router("r");
  router.presents(presenter).query("inherited").handle([] { return kAda; });
  router.router("deep").query("nested").handle([] { return kAda; });
  registry.tool("single").presents(presenter).handle([](Context&) { return raw_ada(); });
  Registry other = empty_registry();
  other.query("m.merged").presents(presenter).handle([] { return kAda; });
  ASSERT_TRUE(registry.merge(other).has_value());
  Handlers handlers;
  handlers.add("ada", [](Context&) { return raw_ada(); });
  handlers.present("user", presenter);
  const auto declared = declare_actions(
      registry, "tools:\n  - {name: y.file, handler: ada, presents: user}\n", handlers);
  ASSERT_TRUE(declared.has_value()) << declared.error().message;

  const std::vector<std::pair<std::string, std::string>> all{
      {"u", "plain"},       {"u", "expected"}, {"u", "coroutine"}, {"u", "blocking"},
      {"u", "raw"},         {"u", "guarded"},  {"u", "staged"},    {"r", "inherited"},
      {"r", "deep.nested"}, {"m", "merged"},   {"y", "file"}};
  for (const Exposition exposition : {Exposition::grouped, Exposition::flat}) {
    TesterOptions options;
    options.compile.exposition = exposition;
    Tester tester(registry, options);
    std::vector<Call> calls;
    for (const auto& [tool, action] : all) {
      calls.push_back(tester.call(tool, action, json::Value::object()));
    }
    calls.push_back(tester.call("single"));
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string name = i < all.size() ? all[i].second : "single";
      EXPECT_EQ(calls[i].data.find_string("name"), "Ada") << name << ": " << calls[i].wire;
      EXPECT_EQ(calls[i].wire.find("hunter2"), std::string::npos) << name;
      EXPECT_EQ(calls[i].rules, std::vector<std::string>{"Be kind."}) << name;
    }
  }
}

/// A guard that puts other data into results.
class Replacing final : public Stage {
 public:
  explicit Replacing(json::Value data) : data_(std::move(data)) {}
  Task<Outcome<ToolResult>> around(std::string_view, Context&, const Next& next) override {
    Task<Outcome<ToolResult>> inner = next();
    Outcome<ToolResult> outcome = co_await std::move(inner);
    outcome.result()->structured = data_;
    co_return outcome;
  }

 private:
  const json::Value data_;
};

TEST(Presenters, AreHeldToTheirSchemaWhereAGuardChangesWhatTheyGave) {
  Registry registry = empty_registry();
  const auto eve = std::make_shared<Replacing>(json::Value::object({{"name", "Eve"}}));
  const auto seven = std::make_shared<Replacing>(json::Value::object({{"name", 7}}));
  registry.query("u.changed").presents(public_user()).guard(eve).handle([] { return kAda; });
  registry.query("u.spoilt").presents(public_user()).guard(seven).handle([] { return kAda; });
  Tester tester(registry);
  const Call changed = tester.call("u", "changed", json::Value::object());
  EXPECT_EQ(changed.data.find_string("name"), "Eve") << changed.wire;
  EXPECT_FALSE(tester.call("u", "spoilt", json::Value::object()).error.is_null());
}

/// The code of an error, of a tool's or the protocol's.
std::string code_of(const Call& call) {
  const json::Value* data = call.error.find("data");
  const json::Value* error = data != nullptr ? data->find("error") : nullptr;
  return error != nullptr ? std::string(error->find_string("code").value_or("")) : call.code;
}

TEST(TagFilter, HoldsOnCallsUnderEveryNameInBothExpositions) {
  Registry registry = empty_registry();
  registry.query("shop.look").handle([](Context&) { return "looked"; });
  registry.mutation("shop.wipe").tags({"admin"}).handle([](Context&) { return "wiped"; });
  registry.tool("backdoor").tags({"admin"}).handle([](Context&) {
    return ToolResult::text("wiped");
  });
  for (const Exposition exposition : {Exposition::grouped, Exposition::flat}) {
    TesterOptions options;
    options.compile.exposition = exposition;
    options.compile.tags.none = {"admin"};
    Tester tester(registry, options);
    EXPECT_EQ(tester.call("shop", "look", json::Value::object()).text(), "looked");
    const json::Value wipe = json::Value::object({{"action", "wipe"}});
    for (const Call& call :
         {tester.call("shop", "wipe", json::Value::object()), tester.call("shop", wipe),
          tester.call("shop_wipe"), tester.call("shop.wipe"), tester.call("backdoor")}) {
      const std::set<std::string> refused{"UNKNOWN_TOOL", "UNKNOWN_ACTION"};
      EXPECT_TRUE(refused.contains(code_of(call))) << call.wire;
    }
    const Call list = tester.request("tools/list");
    EXPECT_EQ(list.wire.find("wipe"), std::string::npos) << list.wire;
    EXPECT_EQ(list.wire.find("backdoor"), std::string::npos) << list.wire;
  }
}

/// A binding to a state, as a state machine's gate would hang it on an action.
struct NeedsState {
  std::string state;
};

TEST(StateGate, HoldsHoweverItsActionIsReached) {
  for (const Exposition exposition : {Exposition::grouped, Exposition::flat}) {
    std::string state = "empty";
    const auto needs = [&state](const std::string& wanted) {
      return [&state, wanted](Context&) -> Checked {
        if (state == wanted) return {};
        return refuse("FORBIDDEN", "the cart is " + state);
      };
    };
    // Each in a file of its own, the later one first.
    Registry pay = empty_registry();
    pay.mutation("cart.pay").attach(NeedsState{"full"}).use(needs("full")).handle([](Context&) {
      return "paid";
    });
    Registry add = empty_registry();
    add.action("cart.add").use(needs("empty")).handle([&state](Context&) {
      state = "full";
      return "added";
    });
    Registry registry = empty_registry();
    ASSERT_TRUE(registry.merge(pay).has_value());
    ASSERT_TRUE(registry.merge(add).has_value());
    TesterOptions options;
    options.compile.exposition = exposition;
    Tester tester(registry, options);
    const json::Value grouped = json::Value::object({{"action", "pay"}});
    EXPECT_EQ(tester.call("cart", "pay", json::Value::object()).code, "FORBIDDEN");
    EXPECT_NE(tester.call("cart", grouped).text(), "paid") << "by the name of the group";
    EXPECT_EQ(tester.call("cart", "add", json::Value::object()).text(), "added");
    EXPECT_EQ(tester.call("cart", "add", json::Value::object()).code, "FORBIDDEN");
    EXPECT_EQ(tester.call("cart", "pay", json::Value::object()).text(), "paid");
  }
}

TEST(CompiledServer, StaysAsItWasWhateverBecomesOfItsRegistry) {
  Registry registry = empty_registry();
  auto action = registry.query("t.a");
  action.describe("before").handle([](Context&) { return "before"; });
  Tester tester(registry);
  const std::string list = tester.request("tools/list").wire;
  action.describe("after").handle([](Context&) { return "after"; });
  registry.query("t.b").handle([](Context&) { return "b"; });
  EXPECT_EQ(tester.call("t", "a", json::Value::object()).text(), "before");
  EXPECT_EQ(tester.call("t", "b", json::Value::object()).code, "UNKNOWN_ACTION");
  const std::string again = tester.request("tools/list").wire;
  EXPECT_EQ(again.substr(again.find("result")), list.substr(list.find("result")));
}

TEST(CacheHints, StandInTheListsOfEveryExpositionAndSeparator) {
  Registry registry = empty_registry();
  registry.query("t.a").handle([](Context&) { return "a"; });
  registry.resource("item:///a", "a").handle([](Context&) {
    return ResourceContents::of_text("text/plain", "a");
  });
  registry.prompt("p").handle([](Context&) { return PromptResult(); });
  for (const Exposition exposition : {Exposition::grouped, Exposition::flat}) {
    for (const char* separator : {"_", ".", "-"}) {
      TesterOptions options;
      options.compile.exposition = exposition;
      options.compile.separator = separator;
      options.compile.ttl_ms = 1'000;
      options.compile.cache_public = true;
      Tester tester(registry, options);
      for (const char* method : {"tools/list", "resources/list", "prompts/list"}) {
        const Call list = tester.request(method);
        EXPECT_EQ(*list.result.find("ttlMs"), json::Value(1'000)) << method << list.wire;
        EXPECT_EQ(list.result.find_string("cacheScope"), "public") << method;
      }
    }
  }
}

TEST(CacheHints, MayDifferFromListToList) {
  Registry registry = empty_registry();
  registry.query("t.a").handle([](Context&) { return "a"; });
  registry.prompt("p").handle([](Context&) { return PromptResult(); });
  TesterOptions options;
  options.compile.ttl_ms = 1'000;
  options.compile.tools_cache = CacheHint{5'000, true};
  Tester tester(registry, options);
  const Call tools = tester.request("tools/list");
  EXPECT_EQ(*tools.result.find("ttlMs"), json::Value(5'000));
  EXPECT_EQ(tools.result.find_string("cacheScope"), "public");
  const Call prompts = tester.request("prompts/list");
  EXPECT_EQ(*prompts.result.find("ttlMs"), json::Value(1'000));
  EXPECT_EQ(prompts.result.find_string("cacheScope"), "private");
}

struct Range {
  std::int64_t count = 0;
};
SQUALL_DESCRIBE(Range, count)
struct Numbers {
  std::vector<std::int64_t> numbers;
  std::string unit;
};
SQUALL_DESCRIBE(Numbers, numbers, unit)

TEST(EgressOfAnAction, TrimsStructuredContentSoThatItFitsItsOwnSchema) {
  Registry registry = empty_registry();
  const auto count_up = [](const Range& in) {
    Numbers out;
    for (std::int64_t i = 0; i < in.count; ++i) out.numbers.push_back(i);
    out.unit = "m";
    return out;
  };
  registry.query<Range>("n.cut").egress(4_KiB, Structured::trim).handle(count_up);
  registry.query<Range>("n.kept").egress(4_KiB).handle(count_up);
  Tester tester(registry);
  const json::Value many = json::Value::object({{"count", 5'000}});
  const Call cut = tester.call("n", "cut", many);
  ASSERT_FALSE(cut.is_error) << cut.wire;  // it would be, if it didn't fit the schema
  EXPECT_LT(cut.data.find("numbers")->size(), 2'000U);
  EXPECT_GT(cut.data.find("numbers")->size(), 10U);
  EXPECT_EQ(cut.data.find_string("unit"), "m");
  EXPECT_NE(cut.wire.find("of its 5000 items"), std::string::npos);
  EXPECT_EQ(tester.call("n", "kept", many).data.find("numbers")->size(), 5'000U);
}

TEST(LimitsOfAnAction, AreSetWhereItIsDeclared) {
  Registry registry = empty_registry();
  const auto wait = [](Context& context) -> Task<std::string> {
    co_await context.sleep(100ms);
    co_return "waited";
  };
  registry.query("t.quick").timeout(10ms).handle(wait);
  registry.query("t.rare").rate(1, 1h).handle([](Context&) { return "once"; });
  registry.query("t.small")
      .input(R"({"type":"object"})")
      .open()
      .argument_bytes(50)
      .handle([](Context&) { return "small"; });
  Tester tester(registry);
  EXPECT_EQ(tester.call("t", "quick", json::Value::object()).code, "TIMEOUT");
  EXPECT_EQ(tester.call("t", "rare", json::Value::object()).text(), "once");
  EXPECT_EQ(tester.call("t", "rare", json::Value::object()).code, "RATE_LIMITED");
  EXPECT_EQ(tester.call("t", "small", json::Value::object()).text(), "small");
  const json::Value large = json::Value::object({{"x", std::string(100, 'x')}});
  EXPECT_EQ(tester.call("t", "small", large).code, "ARGUMENTS_TOO_LARGE");
}

/// What began before a server was extended still counts: nobody slips past it.
TEST(LimitsOfAnAction, HoldWhileTheServerIsExtended) {
  std::vector<std::string> notes;
  Registry registry = empty_registry();
  registry.mutation("t.change").handle([&notes](Context& context) -> Task<std::string> {
    notes.push_back("+");
    co_await context.sleep(10ms);
    notes.push_back("-");
    co_return "changed";
  });
  registry.query("t.rare").rate(1, 1h).handle([](Context&) { return "once"; });
  Registry more = empty_registry();
  more.query("t.more").handle([](Context&) { return "more"; });
  const auto loop = runtime::SimulatedLoop::make();
  Engine engine(*registry.compile());
  LocalHttp http(*loop, engine);
  const auto call = [&](std::string_view action) {
    return http.start(
        "POST", call_of(1, "t", R"({"action":")" + std::string(action) + R"("})", true), "", "t");
  };
  call("rare");
  const auto first = call("change");
  ASSERT_TRUE(engine.extend(more).has_value());
  const auto second = call("change");
  EXPECT_NE(call("rare")->body.find("RATE_LIMITED"), std::string::npos);
  EXPECT_NE(call("more")->body.find("more"), std::string::npos);
  loop->advance(30ms);
  http.settle();
  EXPECT_TRUE(first->done);
  EXPECT_TRUE(second->done);
  EXPECT_EQ(notes, (std::vector<std::string>{"+", "-", "+", "-"}));
}

/// Clients hear of a change from the handler that makes it, and of nothing else.
TEST(Updates, AreToldByTheMutationThatMakesThemAndByNothingElse) {
  Registry registry = empty_registry();
  registry.query("t.read").handle([](Context&) { return "read"; });
  registry.mutation("t.fail").handle(
      [](Context&) -> ToolResult { return tool_error("CONFLICT", "no"); });
  registry.mutation("t.write").handle([](Context& context) {
    context.engine().resource_updated("item:///a");
    return "written";
  });
  registry.resource("item:///a", "a").handle([](Context&) {
    return ResourceContents::of_text("text/plain", "a");
  });
  const auto loop = runtime::SimulatedLoop::make();
  Engine engine(*registry.compile());
  LocalHttp http(*loop, engine);
  const std::string session = http.initialize();
  const auto stream = http.start("GET", "", session);
  http.start("POST",
             R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
             R"("params":{"uri":"item:///a"}})",
             session);
  const auto updates_after = [&](std::string_view action) {
    http.start("POST", call_of(1, "t", R"({"action":")" + std::string(action) + R"("})", false),
               session);
    std::size_t count = 0;
    for (std::size_t at = stream->body.find("resources/updated"); at != std::string::npos;
         at = stream->body.find("resources/updated", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(updates_after("read"), 0U);
  EXPECT_EQ(updates_after("fail"), 0U);
  EXPECT_EQ(updates_after("write"), 1U);
  EXPECT_EQ(updates_after("read"), 1U);
}

}  // namespace
}  // namespace squall::acceptance
