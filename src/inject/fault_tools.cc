#include "squall/inject/fault_tools.h"

#include "squall/json/write.h"

#include "tools.h"

namespace squall::inject {

server::ToolResult json_text(const json::Value& value) {
  return server::ToolResult::text(json::to_string(value));
}

void add_fault_tools(server::Registry& registry, const FaultToolOptions& options) {
  add_ping(registry);
  add_protocol_ping_liveness(registry, options);
  add_delay(registry);
  add_hang(registry);
  add_disconnect(registry, options);
  add_malformed_message(registry);
  add_duplicate_response(registry);
  add_response_after_cancellation(registry, options);
  if (options.transport == FaultToolOptions::Transport::http) add_session_loss(registry);
}

}  // namespace squall::inject
