#include <exception>
#include <optional>

#include "squall/runtime/one_shot.h"
#include "squall/server/guards/guards.h"
#include "squall/server/tool_error.h"

namespace squall::server {

namespace {

/// A call and its deadline: whichever comes first settles it.
struct Race {
  explicit Race(runtime::Loop& loop_of_call) : loop(loop_of_call), over(loop_of_call) {}
  ~Race() {
    if (timer != runtime::TimerId::none) loop.cancel(timer);
  }
  runtime::Loop& loop;
  runtime::OneShot<> over;
  std::optional<Outcome<ToolResult>> outcome;
  std::exception_ptr thrown;
  runtime::TimerId timer = runtime::TimerId::none;
};

Task<void> run(const Stage::Next& next, Race& race) {
  try {
    Task<Outcome<ToolResult>> inner = next();
    Outcome<ToolResult> outcome = co_await std::move(inner);
    race.outcome.emplace(std::move(outcome));
  } catch (...) {  // handed on to whoever waits for the call
    race.thrown = std::current_exception();
  }
  race.over.set();
}

class Timeout final : public Stage {
 public:
  explicit Timeout(runtime::Duration limit) : limit_(limit) {}

  Task<Outcome<ToolResult>> around(std::string_view tool, Context& context,
                                   const Next& next) override {
    Race race(context.loop());
    race.timer = context.loop().call_after(limit_, [&race] {
      race.timer = runtime::TimerId::none;
      race.over.set();
    });
    const Task<void> call = run(next, race);
    call.start();
    co_await race.over;
    if (race.thrown) std::rethrow_exception(race.thrown);
    if (race.outcome) co_return *std::move(race.outcome);
    const auto limit = std::chrono::ceil<std::chrono::milliseconds>(limit_);
    ToolError error("TIMEOUT", std::string(tool) + " took longer than " +
                                   std::to_string(limit.count()) + " ms and was stopped");
    error.recovery("What it was to do may have been done in part: look before you call again.");
    co_return error.result();
  }

 private:
  const runtime::Duration limit_;
};

}  // namespace

std::shared_ptr<Stage> limit_time(runtime::Duration limit) {
  return std::make_shared<Timeout>(limit);
}

}  // namespace squall::server
