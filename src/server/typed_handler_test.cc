#include "squall/server/typed_handler.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "pair_bench.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;
using test::text_of;

struct Name {
  std::string name;
};
SQUALL_DESCRIBE(Name, name)

struct Greeting {
  std::string text;
  std::optional<std::int64_t> times;
};
SQUALL_DESCRIBE(Greeting, text, times)

struct Small {
  std::int8_t number = 0;
};
SQUALL_DESCRIBE(Small, number)

struct Tenant {
  std::string name;
  int touched = 0;
};

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

json::Value call(test::PairBench& bench, std::string_view tool, std::string_view arguments = "{}") {
  const std::vector<std::string> heard =
      bench.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}");
  return heard.empty() ? json::Value() : json::parse(heard.back()).value_or(json::Value());
}

TEST(TypedHandler, MayBeAPlainFunctionOrACoroutine) {
  Registry registry = empty_registry();
  registry.query<Name>("plain").handle(
      [](const Name& in) { return Greeting{"Hi " + in.name, {}}; });
  registry.query<Name>("coroutine").handle([](Context& context, const Name& in) -> Task<Greeting> {
    co_await context.sleep(10ms);
    Greeting out;
    out.text = "Late " + in.name;
    co_return out;
  });
  registry.query<Name>("result").handle([](Context&, const Name& in) -> Task<Result<Greeting>> {
    Greeting out;
    out.text = in.name;
    co_return out;
  });
  test::PairBench bench(registry);
  EXPECT_EQ(text_of(call(bench, "plain", R"({"name":"Ada"})")), R"({"text":"Hi Ada"})");
  EXPECT_TRUE(call(bench, "coroutine", R"({"name":"Ada"})").is_null());
  EXPECT_NE(bench.hear(10ms).at(0).find("Late Ada"), std::string::npos);
  EXPECT_EQ(text_of(call(bench, "result", R"({"name":"Ada"})")), R"({"text":"Ada"})");
}

TEST(TypedHandler, MayGiveTextContentValuesAndErrors) {
  Registry registry = empty_registry();
  registry.query("text").handle([](Context&) { return "text"; });
  registry.query("content").handle([](Context&) { return Content::text("content"); });
  registry.query("list").handle([](Context&) { return std::vector<std::int64_t>{1, 2}; });
  registry.query("done").handle([](Context&) -> Result<void> { return {}; });
  registry.query("error").handle([](Context&) { return tool_error("CONFLICT", "no"); });
  registry.query("missing").handle(
      [](Context&) -> Result<Greeting> { return fail(ErrorKind::not_found, "nobody"); });
  registry.query("expected").handle([](Context&) -> std::expected<Greeting, ToolError> {
    return std::unexpected(tool_error("RATE_LIMITED", "slow down").retry_after(2s));
  });
  registry.query("reply").handle([](Context&) -> Reply<Greeting> { return tool_error("A", "b"); });
  test::PairBench bench(registry);
  EXPECT_EQ(text_of(call(bench, "text")), "text");
  EXPECT_EQ(text_of(call(bench, "content")), "content");
  EXPECT_EQ(text_of(call(bench, "list")), "[1,2]");
  EXPECT_EQ(text_of(call(bench, "done")), "OK");
  EXPECT_NE(text_of(call(bench, "error")).find("code=\"CONFLICT\""), std::string::npos);
  EXPECT_NE(text_of(call(bench, "missing")).find("code=\"NOT_FOUND\""), std::string::npos);
  EXPECT_NE(text_of(call(bench, "expected")).find("<retry_after_ms>2000</retry_after_ms>"),
            std::string::npos);
  EXPECT_NE(text_of(call(bench, "reply")).find("code=\"A\""), std::string::npos);
}

TEST(TypedHandler, PassesThrownToolErrorsThroughAndHidesEverythingElse) {
  Registry registry = empty_registry();
  registry.query("known").handle(
      [](Context&) -> std::string { throw tool_error("CONFLICT", "changed meanwhile"); });
  registry.query("later").handle([](Context&) -> Task<std::string> {
    throw tool_error("CONFLICT", "changed meanwhile");
    co_return "";
  });
  registry.query("other").handle(
      [](Context&) -> std::string { throw std::runtime_error("password=hunter2"); });
  test::PairBench bench(registry);
  for (const std::string_view tool : {"known", "later"}) {
    const json::Value response = call(bench, tool);
    EXPECT_EQ(text_of(response), tool_error("CONFLICT", "changed meanwhile").text());
    EXPECT_TRUE(response.find("result")->find("isError")->boolean());
  }
  const std::string hidden = text_of(call(bench, "other"));
  EXPECT_NE(hidden.find("INTERNAL_ERROR"), std::string::npos);
  EXPECT_NE(hidden.find("Do not repeat the same call"), std::string::npos);
  EXPECT_EQ(hidden.find("hunter2"), std::string::npos);
}

TEST(ToolErrors, CarryTheirDataWhereNoListedSchemaForbidsIt) {
  Registry registry = empty_registry();
  const auto failing = [](Context&) -> std::expected<Greeting, ToolError> {
    return std::unexpected(tool_error("CONFLICT", "no").gravity(Gravity::warning));
  };
  registry.query("alone").handle(failing);      // lists its output schema
  registry.query("mixed.one").handle(failing);  // can't list one: the other gives text
  registry.query("mixed.two").handle([](Context&) { return "text"; });
  registry.query("same.one").handle(failing);
  test::PairBench bench(registry);
  const auto result_of = [&](std::string_view tool, std::string_view arguments) {
    return *call(bench, tool, arguments).find("result");
  };
  const json::Value alone = result_of("alone", "{}");
  EXPECT_FALSE(alone.contains("structuredContent"));
  EXPECT_TRUE(alone.find("isError")->boolean());  // a warning would have to keep the promise
  const json::Value mixed = result_of("mixed", R"({"action":"one"})");
  EXPECT_TRUE(mixed.find("structuredContent")->contains("error"));
  EXPECT_FALSE(mixed.contains("isError"));
  EXPECT_FALSE(result_of("same", R"({"action":"none"})").contains("structuredContent"));
}

TEST(TypedHandler, TellsWhatDoesNotFitItsTypeThoughTheSchemaTookIt) {
  Registry registry = empty_registry();
  registry.query<Small>("small").handle([](const Small& in) { return std::to_string(in.number); });
  test::PairBench bench(registry);
  EXPECT_EQ(text_of(call(bench, "small", R"({"number":127})")), "127");
  const std::string error = text_of(call(bench, "small", R"({"number":128})"));
  EXPECT_NE(error.find("VALIDATION_ERROR"), std::string::npos);
  EXPECT_NE(error.find("<field name=\"/number\">expected a whole number from -128 to 127"),
            std::string::npos);
}

TEST(TypedHandler, AsksForInputAsOthersDo) {
  Registry registry = empty_registry();
  registry.query("who").handle([](Context& context) -> Reply<Greeting> {
    const json::Value* roots = context.ask("roots", list_roots());
    if (roots == nullptr) return context.need_input();
    Greeting out;
    out.text = "heard";
    return out;
  });
  test::PairBench bench(registry);
  bench.say(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
  const json::Value question = call(bench, "who");
  EXPECT_EQ(question.find_string("method"), "roots/list");
  const std::string answer = R"({"jsonrpc":"2.0","id":)" + json::to_string(*question.find("id")) +
                             R"(,"result":{"roots":[]}})";
  EXPECT_NE(bench.say(answer).at(0).find("heard"), std::string::npos);
}

TEST(OwnContext, IsMadeAfreshForEachRequestAndSeenByChecksAndHandlers) {
  Registry registry = empty_registry();
  int made = 0;
  registry.context([&made](Context& context) {
    Tenant tenant;
    tenant.name = std::string(context.meta().find_string("tenant").value_or("nobody"));
    ++made;
    return tenant;
  });
  registry.use([](Tenant& tenant) -> Checked {
    ++tenant.touched;
    if (tenant.name == "nobody") return refuse("UNAUTHORIZED", "who are you?");
    return {};
  });
  registry.query("who").handle(
      [](Context&, Tenant& tenant) { return tenant.name + std::to_string(tenant.touched); });
  registry.prompt("p").handle([](Context&, Tenant& tenant) {
    PromptResult result;
    result.user(Content::text(tenant.name));
    return result;
  });
  test::PairBench bench(registry);
  const auto say = [&](std::string_view method, std::string_view name) {
    return bench
        .say(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) +
             R"(","params":{"name":")" + std::string(name) + R"(","_meta":{"tenant":"acme"}}})")
        .at(0);
  };
  EXPECT_NE(say("tools/call", "who").find("acme1"), std::string::npos);
  EXPECT_NE(say("tools/call", "who").find("acme1"), std::string::npos);
  EXPECT_NE(say("prompts/get", "p").find("acme"), std::string::npos);
  EXPECT_NE(text_of(call(bench, "who")).find("UNAUTHORIZED"), std::string::npos);
  EXPECT_EQ(made, 4);
}

TEST(OwnContext, ThatCannotBeMadeRefusesTheRequest) {
  Registry registry = empty_registry();
  registry.context([](Context&) -> std::expected<Tenant, ToolError> {
    return std::unexpected(tool_error("FORBIDDEN", "not you"));
  });
  registry.query("a.b").handle([](Context&) { return "never"; });
  registry.query("c").handle([](Context&) { return "never"; });
  registry.resource("demo://a", "a").handle([](Context&) { return ResourceResult(); });
  test::PairBench bench(registry);
  EXPECT_NE(text_of(call(bench, "a", R"({"action":"b"})")).find("FORBIDDEN"), std::string::npos);
  EXPECT_NE(text_of(call(bench, "c")).find("FORBIDDEN"), std::string::npos);
  const std::string read =
      bench.say(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"demo://a"}})")
          .at(0);
  EXPECT_NE(read.find(R"("code":"FORBIDDEN")"), std::string::npos);
}

TEST(OwnContext, OfAnotherTypeThanTheFactoryMakesIsAMistakeOfTheBuild) {
  Registry registry = empty_registry();
  registry.context([](Context&) { return Tenant(); });
  registry.query("wrong").handle([](std::string& other) { return other; });
  registry.tool("old").handle([](Context&, std::string&) { return ToolResult(); });
  const auto compiled = registry.compile();
  ASSERT_FALSE(compiled.has_value());
  EXPECT_NE(
      compiled.error().message.find("action \"wrong\": a handler or check of it takes another"),
      std::string::npos);
  EXPECT_NE(compiled.error().message.find("tool \"old\": a handler or check of it takes another"),
            std::string::npos);
}

}  // namespace
}  // namespace squall::server
