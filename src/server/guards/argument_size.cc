#include "squall/json/write.h"
#include "squall/server/guards/guards.h"
#include "squall/server/tool_error.h"

namespace squall::server {

namespace {

class ArgumentSize final : public Stage {
 public:
  explicit ArgumentSize(std::size_t bytes) : bytes_(bytes) {}

  Task<Outcome<ToolResult>> around(std::string_view, Context& context, const Next& next) override {
    if (json::to_string(context.arguments()).size() > bytes_) {
      ToolError error("ARGUMENTS_TOO_LARGE",
                      "the arguments have more than " + std::to_string(bytes_) + " bytes");
      error.recovery("Send less at once.");
      co_return error.result();
    }
    Task<Outcome<ToolResult>> inner = next();
    co_return co_await std::move(inner);
  }

 private:
  const std::size_t bytes_;
};

}  // namespace

std::shared_ptr<Stage> limit_arguments(std::size_t bytes) {
  return std::make_shared<ArgumentSize>(bytes);
}

std::vector<std::shared_ptr<Stage>> make_guards(const GuardOptions& options) {
  std::vector<std::shared_ptr<Stage>> guards;
  if (options.egress) guards.push_back(limit_egress(*options.egress));
  if (options.argument_bytes) guards.push_back(limit_arguments(*options.argument_bytes));
  if (options.rate) guards.push_back(limit_rate(*options.rate));
  if (options.serialize) guards.push_back(serialize(*options.serialize));
  if (options.concurrency) guards.push_back(limit_concurrency(*options.concurrency));
  if (options.time) guards.push_back(limit_time(*options.time));
  return guards;
}

std::vector<std::shared_ptr<Stage>> ActionGuards::made(const std::string& settings,
                                                       const GuardOptions& options) {
  const std::lock_guard lock(mutex_);
  if (settings != settings_) {
    made_ = make_guards(options);
    settings_ = settings;
  }
  return made_;
}

}  // namespace squall::server
