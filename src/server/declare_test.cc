#include "squall/server/declare.h"

#include <gtest/gtest.h>

#include "pair_bench.h"

namespace squall::server {
namespace {

using test::text_of;

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

Handlers handlers() {
  Handlers out;
  out.add("greet", [](Context& context) { return "Hi " + std::string(context.text("name")); });
  out.add("people.count", [](Context&) { return std::int64_t{7}; });
  return out;
}

constexpr std::string_view kYaml = R"(
tools:
  - name: people.greet
    nature: query
    title: Greet
    describe: Greets somebody
    tags: [public]
    input:
      type: object
      properties: {name: {type: string, minLength: 1}}
      required: [name]
    handler: greet
  - name: people.count
    nature: mutation
    idempotent: true
)";

TEST(DeclareActions, BindsHandlersByName) {
  Registry registry = empty_registry();
  const auto declared = declare_actions(registry, kYaml, handlers());
  ASSERT_TRUE(declared.has_value()) << declared.error().message;
  test::PairBench bench(registry);
  const auto call = [&](std::string_view arguments) {
    const auto heard = bench.say(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"people","arguments":)" +
        std::string(arguments) + "}}");
    return text_of(json::parse(heard.at(0)).value_or(json::Value()));
  };
  EXPECT_EQ(call(R"({"action":"greet","name":"Ada"})"), "Hi Ada");
  EXPECT_EQ(call(R"({"action":"count"})"), "7");
  EXPECT_NE(call(R"({"action":"greet","name":""})").find("VALIDATION_ERROR"), std::string::npos);
}

TEST(DeclareActions, TakesJsonToo) {
  Registry registry = empty_registry();
  EXPECT_TRUE(declare_actions(registry, R"({"tools":[{"name":"a","handler":"greet"}]})", handlers())
                  .has_value());
}

TEST(DeclareActions, TellsEveryMistakeAndDeclaresNothing) {
  Registry registry = empty_registry();
  const auto declared = declare_actions(registry, R"(
tools:
  - name: a
    handler: greeet
  - name: b
    handler: greet
    descibe: typo
    tags: x
    open: perhaps
    input: []
    nature: quest
    egress: 64
    timeout: soon
    rate: {calls: 0}
    presents: nobody
  - 7
  - handler: greet
)",
                                        handlers(), "tools.yaml");
  ASSERT_FALSE(declared.has_value());
  for (const std::string_view part :
       {"tools.yaml: tool 1 (a): nobody has added the handler \"greeet\"; did you mean \"greet\"?",
        "tool 2: has no member \"descibe\"; did you mean \"describe\"?", "tags are a list",
        "open is true or false", "input is an object", "nature is query, mutation or action",
        "egress: ", "timeout: ", "rate: calls is a whole number of at least 1",
        "nobody has added the presenter \"nobody\"", "tool 3: is no object",
        "tool 4: needs a name"}) {
    EXPECT_NE(declared.error().message.find(part), std::string::npos) << part << "\nin\n"
                                                                      << declared.error().message;
  }
  const auto compiled = registry.compile();
  ASSERT_TRUE(compiled.has_value());
}

TEST(DeclareActions, RefusesWhatIsNoListOfTools) {
  Registry registry = empty_registry();
  for (const std::string_view text : {"", "tools: 7", "tools: []\nmore: 1", "[", "- a"}) {
    EXPECT_FALSE(declare_actions(registry, text, handlers()).has_value()) << text;
  }
}

}  // namespace
}  // namespace squall::server
