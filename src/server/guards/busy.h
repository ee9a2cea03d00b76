#pragma once

#include <string_view>

#include "squall/server/content.h"

#include "slots.h"

namespace squall::server {

/// The error for a call that finds neither a place nor room in the queue.
[[nodiscard]] ToolResult server_busy(std::string_view tool, const Slots& slots);

}  // namespace squall::server
