#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/server/registry.h"
#include "squall/server/serve.h"

// Failures seen in the field that need a server of their own. tests/field_cases/README.md tells
// which case is tested where.

namespace squall::server {
namespace {

using testing::HasSubstr;

Registry make_registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  return Registry(std::move(info));
}

class FieldCase : public testing::Test, protected transport::MessageChannel::Receiver {
 protected:
  void serve(const Registry& registry) {
    auto compiled = registry.compile();
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    engine_ = std::make_unique<Engine>(*std::move(compiled));
    auto pair = transport::make_channel_pair(*loop_);
    endpoint_ = make_channel_endpoint(*loop_, *engine_, std::move(pair.second));
    channel_ = std::move(pair.first);
    channel_->start(*this);
  }
  std::string ask(std::string_view message) {
    heard_.clear();
    channel_->send(message);
    loop_->run_ready();
    return heard_;
  }
  std::string call(std::string_view tool, std::string_view arguments = "{}") {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
               std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}");
  }
  std::string read(std::string_view uri) {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" +
               std::string(uri) + "\"}}");
  }

 private:
  void on_message(std::string text) override { heard_ += text; }
  void on_oversize(std::size_t) override {}
  void on_end(runtime::End) override {}

  std::unique_ptr<runtime::SimulatedLoop> loop_ = runtime::SimulatedLoop::make();
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::unique_ptr<ChannelEndpoint> endpoint_;
  std::string heard_;
};

constexpr const char* kComposed = "demo://caf\u00e9";
constexpr const char* kDecomposed = "demo://cafe\u0301";

TEST_F(FieldCase, B12NamesAreNotNormalised) {
  Registry registry = make_registry();
  for (const auto& [uri, text] : {std::pair(kComposed, "one"), std::pair(kDecomposed, "two")}) {
    registry.resource(uri, text).handle(
        [text](Context&) { return ResourceResult(ResourceContents::of_text("text/plain", text)); });
  }
  serve(registry);
  const std::string listed = ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})");
  EXPECT_THAT(listed, HasSubstr("\"" + std::string(kComposed) + "\""));
  EXPECT_THAT(listed, HasSubstr("\"" + std::string(kDecomposed) + "\""));
  EXPECT_THAT(read(kComposed), HasSubstr("\"one\""));
  EXPECT_THAT(read(kDecomposed), HasSubstr("\"two\""));
}

TEST_F(FieldCase, B12AnUnknownNameIsShownSoThatTheDifferenceShows) {
  Registry registry = make_registry();
  registry.resource(kComposed, "one").handle([](Context&) {
    return ResourceResult(ResourceContents::of_text("text/plain", "one"));
  });
  registry.tool("cafe").describe("x").handle([](Context&) { return ToolResult::text("x"); });
  serve(registry);
  EXPECT_THAT(read(kDecomposed), HasSubstr(R"(demo://cafe\\u{301})"));
  EXPECT_THAT(call("caf\u00e9"), HasSubstr(R"(unknown tool: caf\\u{e9})"));
}

TEST_F(FieldCase, M1ADanglingReferenceIsNotRegistered) {
  Registry registry = make_registry();
  registry.tool("fine").describe("x").handle([](Context&) { return ToolResult::text("x"); });
  registry.tool("dangling")
      .describe("x")
      .output(R"({"type":"object","properties":{"s":{"$ref":"#/$defs/Nope"}}})")
      .handle([](Context&) { return ToolResult::text("x"); });
  const auto compiled = registry.compile();
  ASSERT_FALSE(compiled.has_value());
  EXPECT_THAT(compiled.error().message, HasSubstr("dangling"));
}

TEST_F(FieldCase, M3NumbersKeepTheirDigits) {
  Registry registry = make_registry();
  registry.tool("echo").describe("x").handle(
      [](Context& context) { return ToolResult::of(context.arguments()); });
  registry.tool("whole").describe("x").handle(
      [](Context& context) { return ToolResult::text(std::to_string(context.integer("id"))); });
  serve(registry);
  const std::string tokens =
      R"({"id":9007199254740993,"max":9223372036854775807,"f":0.1,"e":1e400,"z":-0.0,"t":1.10})";
  EXPECT_THAT(call("echo", tokens), HasSubstr("\"structuredContent\":" + tokens));
  EXPECT_THAT(call("whole", R"({"id":9223372036854775807})"), HasSubstr("9223372036854775807"));
}

TEST_F(FieldCase, M5AnIntegerIsAnyWholeNumber) {
  Registry registry = make_registry();
  registry.tool("count")
      .describe("x")
      .input(R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})")
      .handle([](Context&) { return ToolResult::text("taken"); });
  serve(registry);
  for (const char* good : {"3", "3.0", "3e0", "30e-1", "1e20"}) {
    EXPECT_THAT(call("count", "{\"n\":" + std::string(good) + "}"), HasSubstr("taken")) << good;
  }
  for (const char* bad : {"3.5", "\"3\"", "true", "null", "1e-1"}) {
    EXPECT_THAT(call("count", "{\"n\":" + std::string(bad) + "}"), HasSubstr("\"isError\":true"))
        << bad;
  }
}

}  // namespace
}  // namespace squall::server
