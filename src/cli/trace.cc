#include "trace.h"

#include <cstdio>

namespace squall::cli {

using CallOutcome = server::Outcome<server::ToolResult>;

namespace {

/// Prints its line when the call ends, however it does: a cancelled call destroys its coroutine.
class Line {
 public:
  Line(Console& console, std::string_view tool, runtime::Loop& loop)
      : console_(console), tool_(tool), loop_(loop), start_(loop.now()) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    console_.err("tools/call " + tool_ + " " + milliseconds_text(loop_.now() - start_) + " " +
                 ending_ + "\n");
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
  Console& console_;
  std::string tool_;
  runtime::Loop& loop_;
  runtime::TimePoint start_;
  const char* ending_ = "cancelled";
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
  Line line(console_, tool, context.loop());
  CallOutcome outcome = co_await next();
  line.end(outcome);
  co_return outcome;
}

}  // namespace squall::cli
