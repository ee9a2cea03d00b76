#include <chrono>

#include "squall/server/engine.h"

#include "everything.h"

namespace everything {

using namespace std::chrono_literals;
using squall::Task;
using squall::server::Context;
using squall::server::Registry;
using squall::server::ToolResult;

void add_connection_tools(Registry& registry) {
  registry.tool("test_reconnection")
      .describe("Closes its stream and finishes later; a client that comes back gets the result.")
      .handle([](Context& context) -> Task<ToolResult> {
        context.release_stream();
        co_await context.sleep(100ms);
        co_return ToolResult::text("Finished after the stream was closed.");
      });

  registry.tool("test_trigger_tool_change")
      .describe("Tells every client that the list of tools changed.")
      .handle([](Context& context) {
        context.engine().tools_changed();
        return ToolResult::text("Announced a change of tools.");
      });

  registry.tool("test_trigger_prompt_change")
      .describe("Tells every client that the list of prompts changed.")
      .handle([](Context& context) {
        context.engine().prompts_changed();
        return ToolResult::text("Announced a change of prompts.");
      });

  registry.tool("test_trigger_resource_update")
      .describe("Tells the subscribers of test://watched-resource that it changed.")
      .handle([](Context& context) {
        context.engine().resource_updated("test://watched-resource");
        return ToolResult::text("Announced an update of test://watched-resource.");
      });
}

}  // namespace everything
