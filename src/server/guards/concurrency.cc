#include "squall/server/guards/guards.h"
#include "squall/server/tool_error.h"

#include "busy.h"
#include "slots.h"

namespace squall::server {

namespace {

class Concurrency final : public Stage {
 public:
  explicit Concurrency(ConcurrencyOptions options)
      : slots_(std::make_shared<Slots>(std::max<std::size_t>(1, options.active_max),
                                       options.queue_max)) {}

  Task<Outcome<ToolResult>> around(std::string_view tool, Context& context,
                                   const Next& next) override {
    const runtime::TimePoint since = context.loop().now();
    Slots::Awaiter turn = slots_->acquire(context.loop());
    const Slots::Hold hold = co_await turn;
    context.note_wait(context.loop().now() - since, static_cast<bool>(hold));
    if (!hold) co_return server_busy(tool, *slots_);
    Task<Outcome<ToolResult>> inner = next();
    co_return co_await std::move(inner);
  }

 private:
  std::shared_ptr<Slots> slots_;  // with those who hold a place or wait for one
};

}  // namespace

std::shared_ptr<Stage> limit_concurrency(ConcurrencyOptions options) {
  return std::make_shared<Concurrency>(options);
}

}  // namespace squall::server
