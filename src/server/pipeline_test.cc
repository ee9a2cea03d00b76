#include "pipeline.h"

#include <gtest/gtest.h>

#include "fixture_registry.h"

namespace squall::server {
namespace {

ToolResult nothing(Context&) { return {}; }
ResourceResult no_resource(Context&) { return {}; }

Registry empty_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(info);
}

std::string mistakes_of(const Registry& registry) {
  const auto compiled = registry.compile();
  return compiled ? std::string() : compiled.error().message;
}

TEST(Compile, TakesTheFixture) { EXPECT_EQ(mistakes_of(test::fixture_registry()), ""); }

TEST(Compile, NamesEveryMistakeAtOnce) {
  Registry registry = empty_registry();
  registry.tool("bad name").handle(nothing);
  registry.tool("idle");
  registry.tool("twice").handle(nothing);
  registry.tool("twice").handle(nothing);
  registry.tool("text").input("{").handle(nothing);
  registry.tool("typeless").input(R"({"properties":{}})").handle(nothing);
  registry.tool("wrong").input(R"({"type":"object","required":7})").handle(nothing);
  registry.tool("promise").output(R"({"type":"nonsense"})").handle(nothing);
  registry.tool("header")
      .input(R"({"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}})")
      .handle(nothing);
  registry.resource("noscheme", "r").handle(no_resource);
  registry.resource("demo://a", "").handle(no_resource);
  registry.resource_template("demo://{", "t").handle(no_resource);
  registry.prompt("").handle([](Context&) { return PromptResult(); });
  const std::string mistakes = mistakes_of(registry);
  for (const std::string_view named :
       {"tool \"bad name\"", "tool \"idle\": has no handler", "tool \"twice\": is registered twice",
        "tool \"text\": input schema is not JSON", "tool \"typeless\": the input schema must say",
        "tool \"wrong\": input schema", "tool \"promise\": output schema", "tool \"header\"",
        "resource \"noscheme\": a URI begins", "resource \"demo://a\": has no name",
        "resource \"demo://{\"", "prompt \"\": has no name"}) {
    EXPECT_NE(mistakes.find(named), std::string::npos) << named << "\nin\n" << mistakes;
  }
}

TEST(Compile, RefusesTwoResourcesTemplatesPromptsOrArgumentsOfOneName) {
  Registry registry = empty_registry();
  for (int i = 0; i < 2; ++i) {
    registry.resource("demo://a", "a").handle(no_resource);
    registry.resource_template("demo://{x}", "x").handle(no_resource);
    registry.prompt("p").argument("a", "", true).argument("a", "", false).handle([](Context&) {
      return PromptResult();
    });
  }
  const std::string mistakes = mistakes_of(registry);
  for (const std::string_view named :
       {"resource \"demo://a\": is registered twice",
        "resource \"demo://{x}\": is registered twice", "prompt \"p\": is registered twice",
        "prompt \"p\": has two arguments \"a\""}) {
    EXPECT_NE(mistakes.find(named), std::string::npos) << named << "\nin\n" << mistakes;
  }
}

TEST(Compile, RefusesCompletersOfNothing) {
  Registry registry = empty_registry();
  const Completer completer = [](std::string_view, const json::Value&) {
    return CompletionResult();
  };
  registry.resource("demo://a", "a").complete("x", completer).handle(no_resource);
  registry.resource_template("demo://{x}", "x").complete("y", completer).handle(no_resource);
  const std::string mistakes = mistakes_of(registry);
  EXPECT_NE(mistakes.find("only templates"), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("completes \"y\""), std::string::npos) << mistakes;
}

TEST(Compile, WrapsAnOutputThatIsNoObjectForLegacyPeersAlone) {
  const auto pipeline = *test::fixture_registry().compile();
  const std::string array = R"("outputSchema":{"type":"array","items":{"type":"integer"}})";
  EXPECT_NE(pipeline->tool_pages.modern[0].find(array), std::string::npos);
  EXPECT_EQ(pipeline->tool_pages.legacy[0].find(array), std::string::npos);
  EXPECT_NE(pipeline->tool_pages.legacy[0].find(
                R"("properties":{"result":{"type":"array","items":{"type":"integer"}}})"),
            std::string::npos);
}

TEST(Compile, CutsListsIntoPages) {
  CompileOptions options;
  options.page_size = 2;
  const auto pipeline = *test::fixture_registry().compile(options);
  EXPECT_EQ(pipeline->resource_pages.modern.size(), 2U);
  EXPECT_EQ(pipeline->template_pages.modern.size(), 1U);
  EXPECT_EQ(pipeline->tool_pages.legacy.size(), (pipeline->tools.size() + 1) / 2);
  options.page_size = 0;  // as good as one
  EXPECT_EQ((*test::fixture_registry().compile(options))->resource_pages.modern.size(), 3U);
}

TEST(Cursor, ComesBackAsThePageItWasMadeFor) {
  for (const std::size_t page : {std::size_t{0}, std::size_t{1}, std::size_t{12345}}) {
    EXPECT_EQ(read_cursor(make_cursor(page)), page);
  }
}

TEST(Cursor, RefusesWhatWeDidNotMake) {
  for (const std::string_view text : {"", "page:1", "cGFnZTo", "cGFnZTotMQ", "cGFnZToxeA", "!!"}) {
    EXPECT_FALSE(read_cursor(text)) << text;
  }
}

TEST(Pipeline, MatchesTemplatesInTheirOrder) {
  Registry registry = empty_registry();
  registry.resource_template("demo://{x}", "first").handle(no_resource);
  registry.resource_template("demo://{+y}", "second").handle(no_resource);
  const auto pipeline = *registry.compile();
  mcp::UriTemplate::Variables variables;
  EXPECT_EQ(pipeline->match_template("demo://a", variables)->uri, "demo://{x}");
  EXPECT_EQ(pipeline->match_template("demo://a/b", variables)->uri, "demo://{+y}");
  EXPECT_EQ(pipeline->match_template("other://a", variables), nullptr);
}

}  // namespace
}  // namespace squall::server
