#pragma once

#include "squall/json/value.h"
#include "squall/server/content.h"
#include "squall/server/context.h"

namespace squall::server {

/// Turns what a handler gave into what the caller sees. Sees every result of its action that is no
/// error, whatever kind of handler gave it; runs behind middleware and before guards.
///
/// An exception of its own makes the call an internal error: nothing unpresented leaves.
class Presenter {
 public:
  virtual ~Presenter() = default;
  [[nodiscard]] virtual ToolResult present(Context& context, ToolResult result) const = 0;
  /// The schema of the structured content that `present` gives; null: none is promised.
  [[nodiscard]] virtual json::Value output_schema() const { return {}; }
};

}  // namespace squall::server
