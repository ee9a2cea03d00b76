#include <gtest/gtest.h>

#include "squall/server/action.h"

#include "pair_bench.h"
#include "pipeline.h"

namespace squall::server {
namespace {

using test::text_of;

struct GetInvoice {
  std::string id;
  std::optional<std::string> currency;
};
SQUALL_DESCRIBE(GetInvoice, id, currency)

struct Invoice {
  std::string id;
  std::int64_t cents = 0;
};
SQUALL_DESCRIBE(Invoice, id, cents)

struct Nothing {};
SQUALL_DESCRIBE(Nothing)

struct Page {
  std::int64_t limit = 20;
};
SQUALL_DESCRIBE(Page, limit)

struct Numbered {
  std::int64_t id = 0;
};
SQUALL_DESCRIBE(Numbered, id)

struct Tenant {
  std::string name;
};

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

Invoice invoice(const GetInvoice& in) { return {in.id, 1250}; }

void add_billing(Registry& registry) {
  registry.query<GetInvoice>("billing.get_invoice")
      .describe("Look one invoice up")
      .constrain(&GetInvoice::id, schema::pattern("^INV-[0-9]+$"))
      .handle([](const GetInvoice& in) { return invoice(in); });
  registry.mutation<GetInvoice>("billing.void").handle([](const GetInvoice& in) {
    return "voided " + in.id;
  });
  registry.query("billing.ping").handle([](Context&) { return "pong"; });
}

std::string mistakes_of(const Registry& registry, const CompileOptions& options = {}) {
  const auto compiled = registry.compile(options);
  return compiled ? std::string() : compiled.error().message;
}

std::string tools_of(const Registry& registry, const CompileOptions& options = {}) {
  const auto compiled = registry.compile(options);
  return compiled ? (*compiled)->tool_pages.modern[0] : compiled.error().message;
}

CompileOptions flat() {
  CompileOptions options;
  options.exposition = Exposition::flat;
  return options;
}

/// A call over an in-process channel: the result, or null.
json::Value call(test::PairBench& bench, std::string_view tool, std::string_view arguments) {
  const std::vector<std::string> heard =
      bench.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}");
  return heard.empty() ? json::Value() : json::parse(heard.back()).value_or(json::Value());
}

void expect_in(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    EXPECT_NE(text.find(part), std::string_view::npos) << part << "\nin\n" << text;
  }
}

TEST(Actions, OfOneNamespaceAreOneToolWithADiscriminator) {
  Registry registry = empty_registry();
  add_billing(registry);
  const std::string tools = tools_of(registry);
  expect_in(tools,
            {R"("name":"billing")",
             R"("action":{"type":"string","enum":["get_invoice","ping",)"
             R"("void"])",
             R"(Required for: get_invoice, void)", R"(For: get_invoice, void)",
             R"("required":["action"])", "- get_invoice: Look one invoice up. Needs id.",
             "- void: Needs id. [DESTRUCTIVE]", R"("readOnlyHint":false,"destructiveHint":true)"});
  test::PairBench bench(registry);
  const json::Value response = call(bench, "billing", R"({"action":"get_invoice","id":"INV-7"})");
  EXPECT_EQ(text_of(response), R"({"id":"INV-7","cents":1250})");
  EXPECT_EQ(*response.find("result")->find("structuredContent")->find("cents"), json::Value(1250));
  EXPECT_EQ(text_of(call(bench, "billing", R"({"action":"ping"})")), "pong");
}

TEST(Actions, AreToolsOfTheirOwnWhenFlat) {
  Registry registry = empty_registry();
  add_billing(registry);
  expect_in(
      tools_of(registry, flat()),
      {R"("name":"billing_get_invoice")", R"("name":"billing_ping")", R"("name":"billing_void")",
       R"("additionalProperties":false)", R"("annotations":{"readOnlyHint":true})",
       R"("annotations":{"readOnlyHint":false,"destructiveHint":true})"});
}

TEST(Actions, ShowTitleIconsOutputHeadersAndAnnotationsWhenFlat) {
  Registry registry = empty_registry();
  registry.query<GetInvoice>("billing.get")
      .title("Get")
      .icons(json::Value::array({json::Value::object({{"src", "https://x/y.png"}})}))
      .annotations(json::Value::object({{"openWorldHint", false}}))
      .meta(json::Value::object({{"a/b", 1}}))
      .constrain(&GetInvoice::currency, schema::header("Currency"))
      .handle([](const GetInvoice& in) { return invoice(in); });
  expect_in(tools_of(registry, flat()),
            {R"("title":"Get")", R"("icons":[{"src":"https://x/y.png"}])",
             R"("outputSchema":{"type":"object","properties":{"id":{"type":"string"})",
             R"("x-mcp-header":"Currency")", R"("openWorldHint":false)", R"("_meta":{"a/b":1})"});
  const auto pipeline = *registry.compile(flat());
  EXPECT_EQ(pipeline->find_tool("billing_get")->headers.size(), 1U);
}

TEST(Actions, ThatPromiseAnOutputAreHeldToItWhenFlat) {
  Registry registry = empty_registry();
  registry.query("a.b").output(R"({"type":"object","required":["x"]})").handle([](Context&) {
    return ToolResult::of(json::Value::object({{"y", 1}}));
  });
  const auto pipeline = registry.compile(flat());
  ASSERT_TRUE(pipeline.has_value());
  mcp::Implementation info;
  Engine engine(*pipeline);
  EXPECT_TRUE(engine.pipeline()->find_tool("a_b")->sole().output.has_value());
}

TEST(Actions, NestToAnyDepthThroughRouters) {
  Registry registry = empty_registry();
  const Router tickets = registry.router("support.tickets");
  tickets.query("list").handle([](Context&) { return "all"; });
  tickets.router("comments").action("add").handle([](Context&) { return "added"; });
  expect_in(tools_of(registry), {R"("name":"support")", R"("enum":["tickets.comments.add",)"
                                                        R"("tickets.list"])"});
  expect_in(tools_of(registry, flat()),
            {R"("name":"support_tickets_list")", R"("name":"support_tickets_comments_add")"});
  test::PairBench bench(registry);
  EXPECT_EQ(text_of(call(bench, "support", R"({"action":"tickets.comments.add"})")), "added");
}

TEST(Actions, WithoutParametersAcceptNothingElse) {
  Registry registry = empty_registry();
  registry.query("ping").handle([](Context&) { return "pong"; });
  registry.query<Nothing>("typed").handle([](const Nothing&) { return "pong"; });
  registry.query("loose").open().handle([](Context&) { return "pong"; });
  test::PairBench bench(registry);
  for (const std::string_view tool : {"ping", "typed"}) {
    EXPECT_EQ(text_of(call(bench, tool, "{}")), "pong");
    expect_in(text_of(call(bench, tool, R"({"x":1})")), {"VALIDATION_ERROR", "name=\"/x\""});
  }
  EXPECT_EQ(text_of(call(bench, "loose", R"({"x":1})")), "pong");
}

TEST(Actions, AreStrictWhereTheirSchemaIsComposed) {
  Registry registry = empty_registry();
  registry.query("a.b")
      .input(R"({"type":"object","allOf":[{"properties":{"x":{"type":"integer"}}}]})")
      .handle([](Context&) { return "fine"; });
  test::PairBench bench(registry);
  EXPECT_EQ(text_of(call(bench, "a", R"({"action":"b","x":1})")), "fine");
  expect_in(text_of(call(bench, "a", R"({"action":"b","y":1})")), {"VALIDATION_ERROR", "/y"});
}

TEST(Actions, TakeDefaultsFromTheStruct) {
  Registry registry = empty_registry();
  registry.query<Page>("page")
      .constrain(&Page::limit, schema::optional(), schema::min(1), schema::max(100))
      .handle([](const Page& in) { return std::to_string(in.limit); });
  expect_in(tools_of(registry), {R"("limit":{"type":"integer","default":20,"minimum":1)"});
  test::PairBench bench(registry);
  EXPECT_EQ(text_of(call(bench, "page", "{}")), "20");
  EXPECT_EQ(text_of(call(bench, "page", R"({"limit":7})")), "7");
  expect_in(text_of(call(bench, "page", R"({"limit":101})")), {"VALIDATION_ERROR", "/limit"});
}

TEST(Actions, CompileToTheSameInWhicheverOrderTheyAreDeclared) {
  const auto declare = [](std::initializer_list<std::string_view> names) {
    Registry registry = empty_registry();
    for (const std::string_view name : names) {
      registry.query<GetInvoice>(name).handle([](const GetInvoice& in) { return in.id; });
    }
    return tools_of(registry);
  };
  EXPECT_EQ(declare({"a.x", "b.y", "a.z", "c"}), declare({"c", "a.z", "b.y", "a.x"}));
}

TEST(Actions, ThatTheFilterLeavesOutAreNeitherListedNorCalled) {
  for (const Exposition exposition : {Exposition::grouped, Exposition::flat}) {
    Registry registry = empty_registry();
    registry.query("users.list").tags({"public"}).handle([](Context&) { return "all"; });
    registry.router("users").tags({"admin"}).mutation("wipe").handle(
        [](Context&) { return "gone"; });
    CompileOptions options;
    options.exposition = exposition;
    options.tags.none = {"admin"};
    const auto pipeline = registry.compile(options);
    ASSERT_TRUE(pipeline.has_value());
    EXPECT_EQ((*pipeline)->tool_pages.modern[0].find("wipe"), std::string::npos);
    const ToolEntry* tool = (*pipeline)->find_tool("users");
    if (exposition == Exposition::grouped) {
      EXPECT_FALSE(tool->actions.contains("wipe"));
    } else {
      EXPECT_EQ(tool, nullptr);
      EXPECT_EQ((*pipeline)->find_tool("users_wipe"), nullptr);
    }
  }
}

TEST(Actions, AreFilteredByAllAnyAndNone) {
  Registry registry = empty_registry();
  registry.query("a").tags({"x", "y"}).handle([](Context&) { return ""; });
  registry.query("b").tags({"x"}).handle([](Context&) { return ""; });
  registry.query("c").tags({"z"}).handle([](Context&) { return ""; });
  const auto names = [&](TagFilter filter) {
    CompileOptions options;
    options.tags = std::move(filter);
    return (*registry.compile(options))->tool_names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({{"x", "y"}, {}, {}}), Names({"a"}));
  EXPECT_EQ(names({{}, {"y", "z"}, {}}), Names({"a", "c"}));
  EXPECT_EQ(names({{}, {}, {"y"}}), Names({"b", "c"}));
}

TEST(ActionMistakes, AreAllToldWithTheirPlaces) {
  Registry registry = empty_registry();
  const auto nothing = [](Context&) { return ""; };
  registry.query("one.two.three").handle(nothing);
  registry.query("idle.one");
  registry.query("same.name").handle(nothing);
  registry.query("same.name").handle(nothing);
  registry.query("bad name").handle(nothing);
  registry.query("text").input("{").handle(nothing);
  registry.query("schema").input(R"({"type":"object","required":7})").handle(nothing);
  registry.query("promise").output(R"({"type":"nonsense"})").handle(nothing);
  registry.query("head")
      .input(R"({"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}})")
      .handle(nothing);
  registry.query("disc.a")
      .input(R"({"type":"object","properties":{"action":{"type":"string"}}})")
      .handle(nothing);
  registry.query<GetInvoice>("clash.a").handle([](const GetInvoice&) { return ""; });
  registry.query<Numbered>("clash.b").handle([](const Numbered&) { return ""; });
  registry.query("needs").handle([](Context&, Tenant& tenant) { return tenant.name; });
  registry.query("both").handle(nothing);
  registry.query("both.too").handle(nothing);
  const std::string mistakes = mistakes_of(registry);
  expect_in(mistakes, {"actions_test.cc:", "\"one.two.three\": has two dots in its name",
                       "\"idle.one\": has no handler", "\"same.name\": is declared twice; also at",
                       "\"bad name\": a name is words", "\"text\": input schema is not JSON",
                       "\"schema\": input schema: not a schema", "\"promise\": output schema",
                       "\"head\": x-mcp-header", "\"disc.a\": a parameter is named \"action\"",
                       "parameter \"id\" of \"clash.b\" and of \"clash.a\" can't be one",
                       "\"needs\": a handler or check of it takes a context of the server's own",
                       "another tool is already called \"both\""});
}

TEST(ActionMistakes, IncludeLimitsThatLetNothingThroughAndWhatIsNull) {
  Registry registry = empty_registry();
  const auto answer = [](Context&) { return "x"; };
  registry.query("t.a").concurrency(0).handle(answer);
  registry.query("t.b").rate(0).handle(answer);
  registry.query("t.c").timeout({}).handle(answer);
  registry.query("t.d").egress(10).handle(answer);
  registry.query("t.e").guard(nullptr).handle(answer);
  registry.query("t.f").use(std::shared_ptr<Stage>()).handle(answer);
  const auto compiled = registry.compile();
  ASSERT_FALSE(compiled.has_value());
  for (const std::string_view part :
       {"\"t.a\": its concurrency lets no call run", "\"t.b\": its rate", "\"t.c\": its timeout",
        "\"t.d\": its egress", "\"t.e\": a guard or stage of it is null",
        "\"t.f\": a guard or stage of it is null"}) {
    EXPECT_NE(compiled.error().message.find(part), std::string::npos) << part;
  }
}

TEST(ActionMistakes, IncludeOptionsThatMakeNoNames) {
  Registry registry = empty_registry();
  registry.query("t.a").handle([](Context&) { return "x"; });
  for (const char* chooser : {"", "a b"}) {
    CompileOptions options;
    options.discriminator = chooser;
    EXPECT_FALSE(registry.compile(options).has_value()) << chooser;
  }
  CompileOptions options;
  options.exposition = Exposition::flat;
  options.separator = "/";
  EXPECT_FALSE(registry.compile(options).has_value());
  options.separator = std::string(130, '_');
  EXPECT_FALSE(registry.compile(options).has_value());
  options.separator = "__";
  EXPECT_TRUE(registry.compile(options).has_value());
}

TEST(ActionMistakes, IncludeFlatNamesThatCollide) {
  Registry registry = empty_registry();
  registry.query("a.b_c").handle([](Context&) { return ""; });
  registry.query("a_b.c").handle([](Context&) { return ""; });
  EXPECT_EQ(mistakes_of(registry), "");
  expect_in(mistakes_of(registry, flat()), {"another tool is already called \"a_b_c\""});
}

TEST(ActionMistakes, AParameterNamedLikeTheDiscriminatorWorksWhenItIsRenamedOrFlat) {
  Registry registry = empty_registry();
  registry.query("disc.a")
      .input(R"({"type":"object","properties":{"action":{"type":"string"}}})")
      .handle([](Context& context) { return std::string(context.text("action")); });
  CompileOptions renamed;
  renamed.discriminator = "do";
  EXPECT_EQ(mistakes_of(registry, renamed), "");
  EXPECT_EQ(mistakes_of(registry, flat()), "");
}

TEST(Extend, SwapsTheListAndTellsClients) {
  Registry registry = empty_registry();
  registry.query("a.one").handle([](Context&) { return "1"; });
  test::PairBench bench(registry);
  bench.say(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  bench.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  Registry more = empty_registry();
  more.query("a.two").handle([](Context&) { return "2"; });
  ASSERT_TRUE(bench.engine.extend(more).has_value());
  const std::vector<std::string> heard = bench.hear();
  ASSERT_EQ(heard.size(), 1U);
  expect_in(heard[0], {"notifications/tools/list_changed"});
  EXPECT_EQ(text_of(call(bench, "a", R"({"action":"two"})")), "2");
  EXPECT_EQ(text_of(call(bench, "a", R"({"action":"one"})")), "1");
}

TEST(Extend, ThatFailsChangesNothing) {
  Registry registry = empty_registry();
  registry.query<GetInvoice>("a.one").handle([](const GetInvoice&) { return "1"; });
  test::PairBench bench(registry);
  const auto before = bench.engine.pipeline();
  Registry more = empty_registry();
  more.query<Numbered>("a.two").handle([](const Numbered&) { return "2"; });
  const auto extended = bench.engine.extend(more);
  ASSERT_FALSE(extended.has_value());
  expect_in(extended.error().message, {"parameter \"id\""});
  EXPECT_EQ(bench.engine.pipeline(), before);
}

}  // namespace
}  // namespace squall::server
