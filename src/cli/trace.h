#pragma once

#include "squall/cli/cli.h"
#include "squall/server/stage.h"

namespace squall::cli {

/// Prints a line for each tool call when it is over: "tools/call delay 500.2 ms ok".
class TraceStage final : public server::Stage {
 public:
  explicit TraceStage(Console& console) : console_(console) {}
  Task<server::Outcome<server::ToolResult>> around(std::string_view tool, server::Context& context,
                                                   const Next& next) override;

 private:
  Console& console_;
};

/// "500.24 ms"
[[nodiscard]] std::string milliseconds_text(runtime::Duration duration);

}  // namespace squall::cli
