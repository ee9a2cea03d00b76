#include <chrono>

#include "squall/jsonrpc/message.h"
#include "squall/mcp/names.h"

#include "tools.h"
#include "wrapping_outlet.h"

namespace squall::inject {

namespace {

using server::ClientAnswer;
using std::chrono::milliseconds;

std::string_view ping_outcome(const ClientAnswer& answer) {
  switch (answer.kind) {
    case ClientAnswer::Kind::unsupported:
      return "unsupported";
    case ClientAnswer::Kind::timeout:
      return "timeout";
    case ClientAnswer::Kind::result:
      return "success";
    case ClientAnswer::Kind::error:
      break;
  }
  const json::Value* code = answer.value.find("code");
  const bool unknown =
      code != nullptr && code->as_int64() == std::int64_t{jsonrpc::code::kMethodNotFound};
  return unknown ? "unsupported" : "invalid_response";
}

server::ToolResult finding(std::string_view ping, std::string_view transport) {
  const bool alive = ping == "success";
  server::ToolResult result = json_text(json::Value::object(
      {{"status", alive ? "protocol_ping_succeeded" : "protocol_ping_failed"},
       {"protocolPing", json::Value::object({{"outcome", ping}})},
       {"transport", json::Value::object({{"outcome", transport}})}}));
  result.is_error = !alive;
  return result;
}

/// Who records for one call.
class Report {
 public:
  Report(std::shared_ptr<LivenessRecorder> recorder, const server::Context& context,
         std::string_view ping)
      : recorder_(std::move(recorder)), request_id_(context.request_id()), ping_(ping) {}
  void operator()(std::string_view transport) const {
    if (recorder_) recorder_->record({request_id_, ping_, transport});
  }

 private:
  std::shared_ptr<LivenessRecorder> recorder_;
  std::string request_id_;
  std::string_view ping_;  // one of our own words
};

void close_instead(server::Context& context, const Report& report) {
  CuttingOutlet::Plan plan;
  plan.before = [report] { report("closure_requested"); };
  plan.behind = [report] { report("closed"); };
  context.around_outlet([&plan](std::unique_ptr<server::Outlet> inner) {
    return std::make_unique<CuttingOutlet>(std::move(inner), std::move(plan));
  });
}

}  // namespace

void add_protocol_ping_liveness(server::Registry& registry, const FaultToolOptions& options) {
  const bool closable = options.transport == FaultToolOptions::Transport::http;
  registry.tool("protocol_ping_liveness")
      .describe("Pings the client during the call and tells whether it answered.")
      .input(R"({
        "type": "object",
        "properties": {
          "pingAfterMs": {"type": "integer", "minimum": 0, "maximum": 30000,
                          "description": "Milliseconds before the ping."},
          "livenessTimeoutMs": {"type": "integer", "minimum": 1, "maximum": 30000,
                                "description": "Milliseconds the client has to answer it."},
          "completionDelayMs": {"type": "integer", "minimum": 0, "maximum": 30000, "default": 0,
                                "description": "Milliseconds from a good answer to the result."},
          "closeOnFailure": {"type": "boolean", "default": false,
                             "description": "Whether a silent client loses this connection."}
        },
        "required": ["pingAfterMs", "livenessTimeoutMs"]
      })")
      .handle([recorder = options.recorder,
               closable](server::Context& context) -> Task<server::ToolResult> {
        const milliseconds within(context.integer("livenessTimeoutMs"));
        const milliseconds after(context.integer("completionDelayMs"));
        const json::Value* close = context.arguments().find("closeOnFailure");
        const bool closing = close != nullptr && close->boolean();
        const milliseconds before(context.integer("pingAfterMs"));
        co_await context.sleep(before);
        Task<ClientAnswer> pinging =
            context.call_client(std::string(mcp::method::kPing), "", within);
        const ClientAnswer answer = co_await std::move(pinging);
        const std::string_view ping = ping_outcome(answer);
        const Report report(recorder, context, ping);
        if (ping == "success") {
          report("retained");
          co_await context.sleep(after);
          co_return finding(ping, "retained");
        }
        std::string_view transport = "retained";
        if (closing) transport = closable ? "closed" : "closure_unavailable";
        if (closing && closable) {
          close_instead(context, report);
        } else {
          report(transport);
        }
        co_return finding(ping, transport);
      });
}

}  // namespace squall::inject
