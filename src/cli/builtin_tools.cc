#include "builtin_tools.h"

#include "squall/base/time_text.h"
#include "squall/json/write.h"

#include "version.h"

namespace squall::cli {

using json::Value;
using server::Context;
using server::ToolResult;

namespace {

/// One line of JSON in a text block: what these tools have always answered with.
ToolResult answer(const Value& value) { return ToolResult::text(json::to_string(value)); }

}  // namespace

server::Registry make_builtin_registry() {
  mcp::Implementation info;
  info.name = "squall";
  info.version = kVersion;
  info.title = "Squall";
  return server::Registry(std::move(info));
}

void add_builtin_tools(server::Registry& registry) {
  registry.tool("ping").describe("Answers at once, with the time.").handle([](Context& context) {
    return answer(Value::object(
        {{"status", "ok"}, {"timestamp", base::utc_text(context.loop().wall_time())}}));
  });

  registry.tool("delay")
      .describe("Answers after the time given.")
      .input(R"({
        "type": "object",
        "properties": {
          "delayMs": {"type": "integer", "minimum": 0, "maximum": 30000,
                      "description": "How long to wait, in milliseconds."}
        },
        "required": ["delayMs"]
      })")
      .handle([](Context& context) -> Task<ToolResult> {
        const std::int64_t delay = context.integer("delayMs");
        co_await context.sleep(std::chrono::milliseconds(delay));
        const Value done = Value::object({{"status", "delayed"}, {"delayMs", delay}});
        co_return answer(done);
      });

  registry.tool("hang")
      .describe("Never answers; ends when the call is cancelled.")
      .handle([](Context& context) -> Task<ToolResult> {
        co_await context.wait_forever();
        co_return ToolResult();
      });
}

}  // namespace squall::cli
