#include "squall/server/guards/guards.h"
#include "squall/server/tool_error.h"

#include "busy.h"
#include "token_bucket.h"

namespace squall::server {

namespace {

class Rate final : public Stage {
 public:
  explicit Rate(RateOptions options) : bucket_(options.calls, options.per) {}

  Task<Outcome<ToolResult>> around(std::string_view tool, Context& context,
                                   const Next& next) override {
    const runtime::Duration missing = bucket_.take(context.loop().now());
    if (missing > runtime::Duration::zero()) {
      context.note_wait(runtime::Duration::zero(), false);
      ToolError error("RATE_LIMITED", "too many calls of " + std::string(tool));
      error.recovery("Wait for the time given, then call again.");
      error.retry_after(std::chrono::ceil<std::chrono::milliseconds>(missing));
      co_return error.result();
    }
    Task<Outcome<ToolResult>> inner = next();
    co_return co_await std::move(inner);
  }

 private:
  TokenBucket bucket_;
};

}  // namespace

std::shared_ptr<Stage> limit_rate(RateOptions options) { return std::make_shared<Rate>(options); }

}  // namespace squall::server
