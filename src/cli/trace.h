#pragma once

#include <memory>

#include "squall/server/log.h"
#include "squall/server/stage.h"

namespace squall::cli {

/// Logs each tool call when it is over, at debug: "call tool=delay ms=500.21 outcome=ok".
class TraceStage final : public server::Stage {
 public:
  explicit TraceStage(std::shared_ptr<server::Log> log) : log_(std::move(log)) {}
  Task<server::Outcome<server::ToolResult>> around(std::string_view tool, server::Context& context,
                                                   const Next& next) override;

 private:
  std::shared_ptr<server::Log> log_;
};

/// "500.24 ms"
[[nodiscard]] std::string milliseconds_text(runtime::Duration duration);

}  // namespace squall::cli
