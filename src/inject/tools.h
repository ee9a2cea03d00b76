#pragma once

#include "squall/inject/fault_tools.h"

/// @file The fault tools one by one; each has a file of its own.

namespace squall::inject {

void add_ping(server::Registry& registry);
void add_protocol_ping_liveness(server::Registry& registry, const FaultToolOptions& options);
void add_delay(server::Registry& registry);
void add_hang(server::Registry& registry);
void add_disconnect(server::Registry& registry, const FaultToolOptions& options);
void add_malformed_message(server::Registry& registry);
void add_duplicate_response(server::Registry& registry);
void add_response_after_cancellation(server::Registry& registry, const FaultToolOptions& options);
void add_session_loss(server::Registry& registry);

/// A text block that holds `value` as JSON: how these tools have always answered.
[[nodiscard]] server::ToolResult json_text(const json::Value& value);

}  // namespace squall::inject
