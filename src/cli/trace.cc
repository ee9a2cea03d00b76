#include "trace.h"

#include <cstdio>

namespace squall::cli {

using CallOutcome = server::Outcome<server::ToolResult>;

namespace {

/// Logs its line when the call ends, however it does: a cancelled call destroys its coroutine.
class Line {
 public:
  Line(server::Log& log, std::string_view tool, runtime::Loop& loop)
      : log_(log), tool_(tool), loop_(loop), start_(loop.now()) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    const std::chrono::duration<double, std::milli> taken = loop_.now() - start_;
    log_.write(server::Severity::debug, "call",
               {{"tool", tool_}, {"ms", taken.count()}, {"outcome", ending_}});
  }

  void end(CallOutcome& outcome) {
    if (outcome.needs_input()) {
      ending_ = "needs input";
    } else if (outcome.error() != nullptr) {
      ending_ = "refused";
    } else {
      ending_ = outcome.result()->is_error ? "tool error" : "ok";
    }
  }

 private:
  server::Log& log_;
  std::string tool_;
  runtime::Loop& loop_;
  runtime::TimePoint start_;
  std::string_view ending_ = "cancelled";
};

}  // namespace

std::string milliseconds_text(runtime::Duration duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f ms",
                std::chrono::duration<double, std::milli>(duration).count());
  return text;
}

Task<CallOutcome> TraceStage::around(std::string_view tool, server::Context& context,
                                     const Next& next) {
  Line line(*log_, tool, context.loop());
  CallOutcome outcome = co_await next();
  line.end(outcome);
  co_return outcome;
}

}  // namespace squall::cli
