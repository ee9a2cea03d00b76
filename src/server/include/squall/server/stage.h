#pragma once

#include <functional>
#include <string_view>

#include "squall/runtime/task.h"
#include "squall/server/content.h"
#include "squall/server/context.h"

namespace squall::server {

/// A step around tool calls: it sees the call after validation, may change or replace the outcome,
/// and decides whether and how often the next step runs.
class Stage {
 public:
  using Next = std::function<Task<Outcome<ToolResult>>()>;
  virtual ~Stage() = default;
  /// `next` stays valid for as long as the returned task runs.
  virtual Task<Outcome<ToolResult>> around(std::string_view tool, Context& context,
                                           const Next& next) = 0;
};

}  // namespace squall::server
