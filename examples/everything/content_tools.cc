#include <chrono>

#include "everything.h"
#include "media.h"

namespace everything {

using namespace std::chrono_literals;
using squall::Task;
using squall::mcp::LogLevel;
using squall::server::Content;
using squall::server::Context;
using squall::server::Registry;
using squall::server::ToolResult;

namespace {

constexpr auto kStep = 50ms;  // between two messages about a call under way

void add_blocks(Registry& registry) {
  registry.tool("echo")
      .describe("Gives back the text it is given.")
      .input(R"({"type": "object", "properties": {"text": {"type": "string"}},
                 "required": ["text"]})")
      .handle([](Context& context) { return ToolResult::text(context.text("text")); });

  registry.tool("test_simple_text").describe("Gives one block of text.").handle([](Context&) {
    return ToolResult::text("This is a simple text response for testing.");
  });

  registry.tool("test_image_content").describe("Gives a picture.").handle([](Context&) {
    return ToolResult(Content::image(red_pixel_png(), "image/png"));
  });

  registry.tool("test_audio_content").describe("Gives a sound.").handle([](Context&) {
    return ToolResult(Content::audio(beep_wav(), "audio/wav"));
  });

  registry.tool("test_embedded_resource")
      .describe("Gives a resource inside the result.")
      .handle([](Context&) {
        return ToolResult(Content::text_resource("test://embedded-resource", "text/plain",
                                                 "This is an embedded resource content."));
      });

  registry.tool("test_multiple_content_types")
      .describe("Gives text, a picture and a resource together.")
      .handle([](Context&) {
        ToolResult result;
        result.add(Content::text("Multiple content types test:"));
        result.add(Content::image(red_pixel_png(), "image/png"));
        result.add(Content::text_resource("test://mixed-content-resource", "application/json",
                                          R"({"test":"data","value":123})"));
        return result;
      });

  registry.tool("test_error_handling")
      .describe("Fails in a way that the model should see.")
      .handle([](Context&) {
        return ToolResult::error("This tool intentionally returns an error for testing");
      });
}

void add_schemas(Registry& registry) {
  registry.tool("json_schema_2020_12_tool")
      .describe("Takes arguments that only JSON Schema 2020-12 can describe.")
      .input(R"({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
          "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
          }
        },
        "properties": {
          "name": {"type": "string"},
          "address": {"$ref": "#/$defs/address"},
          "contactMethod": {"type": "string", "enum": ["phone", "email"]},
          "phone": {"type": "string"},
          "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
      })")
      .handle([](Context& context) {
        return ToolResult::text("Accepted: " + squall::json::to_string(context.arguments()));
      });

  registry.tool("test_x_mcp_header")
      .describe("Takes an argument that HTTP clients repeat in the header Mcp-Param-Region.")
      .input(R"({"type": "object",
                 "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})")
      .handle([](Context& context) {
        return ToolResult::text("Region: " + std::string(context.text("region")));
      });
}

void add_messages(Registry& registry) {
  registry.tool("test_tool_with_logging")
      .describe("Logs three times while it works.")
      .handle([](Context& context) -> Task<ToolResult> {
        context.log(LogLevel::info, "Tool execution started");
        co_await context.sleep(kStep);
        context.log(LogLevel::info, "Tool processing data");
        co_await context.sleep(kStep);
        context.log(LogLevel::info, "Tool execution completed");
        co_return ToolResult::text("Logged three messages.");
      });

  registry.tool("test_logging_tool")
      .describe("Logs at every level; the client gets what it asked for.")
      .handle([](Context& context) {
        context.log(LogLevel::debug, "A detail", "everything");
        context.log(LogLevel::info, "A fact", "everything");
        context.log(LogLevel::warning, "A doubt", "everything");
        context.log(LogLevel::error, "A failure", "everything");
        return ToolResult::text("Logged at four levels.");
      });

  registry.tool("test_tool_with_progress")
      .describe("Reports its progress in three steps.")
      .handle([](Context& context) -> Task<ToolResult> {
        context.progress(0, 100, "Begun");
        co_await context.sleep(kStep);
        context.progress(50, 100, "Half way");
        co_await context.sleep(kStep);
        context.progress(100, 100, "Finished");
        // A client that reads progress and result in one go may take the call for over first.
        co_await context.sleep(kStep);
        co_return ToolResult::text("Reported progress three times.");
      });
}

}  // namespace

void add_content_tools(Registry& registry) {
  add_blocks(registry);
  add_schemas(registry);
  add_messages(registry);
}

}  // namespace everything
