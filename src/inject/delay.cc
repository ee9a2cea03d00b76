#include "tools.h"

namespace squall::inject {

void add_delay(server::Registry& registry) {
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
      .handle([](server::Context& context) -> Task<server::ToolResult> {
        const std::int64_t delay = context.integer("delayMs");
        co_await context.sleep(std::chrono::milliseconds(delay));
        const json::Value done = json::Value::object({{"status", "delayed"}, {"delayMs", delay}});
        co_return json_text(done);
      });
}

}  // namespace squall::inject
