#include "tools.h"
#include "wrapping_outlet.h"

namespace squall::inject {

namespace {

server::Cut cut_named(std::string_view how) {
  if (how == "reset") return server::Cut::reset;
  return how == "half_close" ? server::Cut::half_close : server::Cut::close;
}

}  // namespace

void add_disconnect(server::Registry& registry, const FaultToolOptions& options) {
  registry.tool("disconnect")
      .describe("Breaks the connection that carries this call instead of answering.")
      .input(R"({
        "type": "object",
        "properties": {
          "how": {"type": "string", "enum": ["close", "reset", "half_close", "exit"],
                  "default": "close",
                  "description":
                      "An orderly end, an abrupt one, one of our direction, or of the process."},
          "code": {"type": "integer", "minimum": 0, "maximum": 255, "default": 0,
                   "description": "The exit code, with exit."},
          "after": {"type": "integer", "minimum": 0, "maximum": 65536, "default": 0,
                    "description": "Bytes of the response to send before."}
        }
      })")
      .handle([exit_process = options.exit_process](server::Context& context) {
        CuttingOutlet::Plan plan;
        const std::string_view how = context.text("how");
        plan.how = cut_named(how);
        plan.after_bytes = static_cast<std::size_t>(context.integer("after"));
        if (how == "exit") {
          if (!exit_process) return server::ToolResult::error("no process to end here");
          const int code = static_cast<int>(context.integer("code"));
          plan.behind = [exit_process, code] { exit_process(code); };
        }
        context.around_outlet([&plan](std::unique_ptr<server::Outlet> inner) {
          return std::make_unique<CuttingOutlet>(std::move(inner), std::move(plan));
        });
        return server::ToolResult::text("transport disconnected");
      });
}

}  // namespace squall::inject
