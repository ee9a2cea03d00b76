#include <chrono>

#include "answers.h"
#include "everything.h"

// A handler makes its call a task by itself: `become_task()` answers the client with a handle, and
// the handler goes on. Where the client doesn't know tasks, the same handler serves it as usual.

namespace everything {

using squall::json::Value;
using squall::server::Context;
using squall::server::elicit_form;
using squall::server::Outcome;
using squall::server::ProtocolError;
using squall::server::Registry;
using squall::server::TaskSupport;
using squall::server::ToolResult;

namespace {

using std::chrono::seconds;

constexpr std::string_view kSlowArguments = R"({
  "type": "object",
  "properties": {
    "seconds": {"type": "integer", "minimum": 0, "maximum": 3600},
    "label": {"type": "string"}
  },
  "required": ["seconds"]
})";

squall::Task<ToolResult> compute(Context& context) {
  context.become_task();
  co_await context.sleep(seconds(context.integer("seconds")));
  co_return ToolResult::text("computed " + std::string(context.text("label")));
}

squall::Task<ToolResult> fail_as_tool(Context& context) {
  context.become_task();
  co_await context.sleep(seconds(1));
  co_return ToolResult::error("the job failed, as it always does");
}

squall::Task<Outcome<ToolResult>> fail_as_request(Context& context) {
  context.become_task();
  co_await context.sleep(seconds(1));
  co_return ProtocolError(-32603, "the job broke down, as it always does");
}

Outcome<ToolResult> confirm_delete(Context& context) {
  context.become_task();
  const std::string file(context.text("filename"));
  const Value* answer =
      context.ask("confirm", elicit_form("Delete " + file + "?", form_of("confirm", "boolean")));
  if (answer == nullptr) return context.need_input();
  const Value* content = accepted(answer);
  const Value* confirmed = content != nullptr ? content->find("confirm") : nullptr;
  const bool agreed = confirmed != nullptr && confirmed->boolean();
  return ToolResult::text(agreed ? "deleted " + file : "kept " + file);
}

Outcome<ToolResult> ask_two_at_once(Context& context) {
  context.become_task();
  const Value* name = context.ask("name", elicit_form("A name?", form_of("name", "string")));
  const Value* agreed = context.ask("agree", elicit_form("Sure?", form_of("confirm", "boolean")));
  if (name == nullptr || agreed == nullptr) return context.need_input();
  return ToolResult::text("name: " + describe(*name) + "; sure: " + describe(*agreed));
}

/// Asks while the call is an ordinary one, and becomes a task with the answer.
squall::Task<Outcome<ToolResult>> ask_then_work(Context& context) {
  const Value* name =
      context.ask("user_name", elicit_form("What is your name?", form_of("name", "string")));
  if (name == nullptr) co_return context.need_input();
  const std::string told = describe(*name);
  context.become_task();
  context.set_task_message("working for " + told);
  co_await context.sleep(seconds(1));
  co_return ToolResult::text("done for " + told);
}

}  // namespace

void add_task_tools(Registry& registry) {
  registry.tool("greet")
      .describe("Greets at once: never a task.")
      .input(form_of("name", "string"))
      .handle([](Context& context) {
        return ToolResult::text("Hello, " + std::string(context.text("name")) + "!");
      });
  registry.tool("slow_compute")
      .describe("Takes the given seconds; a task where the client knows tasks.")
      .input(kSlowArguments)
      .tasks(TaskSupport::optional)
      .handle(compute);
  registry.tool("failing_job")
      .describe("A task that ends with a tool error.")
      .tasks(TaskSupport::required)
      .handle(fail_as_tool);
  registry.tool("protocol_error_job")
      .describe("A task that ends with a protocol error.")
      .tasks(TaskSupport::optional)
      .handle(fail_as_request);
  registry.tool("confirm_delete")
      .describe("A task that asks before it (doesn't really) delete a file.")
      .input(form_of("filename", "string"))
      .tasks(TaskSupport::optional)
      .handle(confirm_delete);
  registry.tool("multi_input")
      .describe("A task that waits for two answers.")
      .tasks(TaskSupport::optional)
      .handle(ask_two_at_once);
  registry.tool("test_tool_with_task")
      .describe("Asks for a name, then works for its owner as a task.")
      .tasks(TaskSupport::required)
      .handle(ask_then_work);
}

}  // namespace everything
