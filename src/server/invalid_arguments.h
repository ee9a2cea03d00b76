#pragma once

#include "squall/json/value.h"
#include "squall/server/tool_error.h"

#include "pipeline.h"

namespace squall::server {

/// All that is wrong with the arguments of a call, in one error: for each place what is allowed,
/// what was sent (50 characters of it; secrets never), and for an unknown name the nearest known.
[[nodiscard, gnu::cold]] ToolError invalid_arguments(const ActionEntry& action,
                                                     const json::Value& arguments);

/// The discriminator is missing, is no string, or names no action of the tool.
[[nodiscard, gnu::cold]] ToolError unknown_action(const ToolEntry& tool,
                                                  const json::Value* discriminator);

/// No tool has that name; `data` of the protocol error that says so.
[[nodiscard, gnu::cold]] ToolError unknown_tool(const Pipeline& pipeline, std::string_view name);

}  // namespace squall::server
