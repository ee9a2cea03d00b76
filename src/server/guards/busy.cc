#include "busy.h"

#include <string>

#include "squall/server/tool_error.h"

namespace squall::server {

ToolResult server_busy(std::string_view tool, const Slots& slots) {
  ToolError error("SERVER_BUSY", std::string(tool) + " is busy: " + std::to_string(slots.held()) +
                                     " calls run, " + std::to_string(slots.waiting()) + " wait");
  error.recovery("Wait for the time given, then call again; send fewer calls at once.");
  error.retry_after(slots.retry_after());
  return error.result();
}

}  // namespace squall::server
