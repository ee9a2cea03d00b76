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

  /// What holds for each result of `present` that is no error, so that the engine needn't work it
  /// out again.
  struct Promise {
    bool fits_schema = false;  ///< the structured content fits `output_schema`
    bool json_first = false;   ///< the first block is a text: JSON of the same value
  };
  [[nodiscard]] virtual Promise promise() const { return {}; }
};

}  // namespace squall::server
