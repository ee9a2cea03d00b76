#include "tools.h"

namespace squall::inject {

void add_hang(server::Registry& registry) {
  registry.tool("hang")
      .describe("Never answers; ends when the call is cancelled.")
      .handle([](server::Context& context) -> Task<server::ToolResult> {
        co_await context.wait_forever();
        co_return server::ToolResult();
      });
}

}  // namespace squall::inject
