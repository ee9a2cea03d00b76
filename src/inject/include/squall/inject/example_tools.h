#pragma once

#include <string_view>

#include "squall/json/value.h"
#include "squall/server/registry.h"

/// @file Three tools to break: what they answer depends on their arguments alone, so that any
/// other answer is a fault's.

namespace squall::inject {

/// The result of `get_account_balance` (account_id), `search` (query, limit) or `read_file` (path).
[[nodiscard]] json::Value call_example_tool(std::string_view tool, const json::Value& arguments);

/// The same three as tools of a server.
void add_example_tools(server::Registry& registry);

}  // namespace squall::inject
