#include "builtin_tools.h"

#include <cstdio>

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

std::string utc_text(std::chrono::system_clock::time_point time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::milliseconds>(time - day));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", int{date.year()},
                unsigned{date.month()}, unsigned{date.day()},
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text;
}

server::Registry make_builtin_registry() {
  mcp::Implementation info;
  info.name = "squall";
  info.version = kVersion;
  info.title = "Squall";
  return server::Registry(std::move(info));
}

void add_builtin_tools(server::Registry& registry) {
  registry.tool("ping").describe("Answers at once, with the time.").handle([](Context& context) {
    return answer(
        Value::object({{"status", "ok"}, {"timestamp", utc_text(context.loop().wall_time())}}));
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
