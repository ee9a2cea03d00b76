#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "squall/server/guards/guards.h"

#include "busy.h"
#include "slots.h"

namespace squall::server {

namespace {

class Serializing final : public Stage {
 public:
  explicit Serializing(SerializeOptions options) : options_(std::move(options)) {}

  Task<Outcome<ToolResult>> around(std::string_view tool, Context& context,
                                   const Next& next) override {
    const std::shared_ptr<Slots> slots = slots_of(options_.key ? options_.key(context) : "");
    const runtime::TimePoint since = context.loop().now();
    Slots::Awaiter turn = slots->acquire(context.loop());
    const Slots::Hold hold = co_await turn;
    context.note_wait(context.loop().now() - since, static_cast<bool>(hold));
    if (!hold) co_return server_busy(tool, *slots);
    Task<Outcome<ToolResult>> inner = next();
    co_return co_await std::move(inner);
  }

 private:
  /// Keys live while somebody holds or waits; the others are swept out as they pile up.
  std::shared_ptr<Slots> slots_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (keys_.size() >= sweep_at_) {
      std::erase_if(keys_, [](const auto& one) { return one.second.expired(); });
      sweep_at_ = std::max<std::size_t>(kSweepMin, keys_.size() * 2);
    }
    std::weak_ptr<Slots>& known = keys_[key];
    std::shared_ptr<Slots> slots = known.lock();
    if (!slots) known = slots = std::make_shared<Slots>(1, options_.queue_max);
    return slots;
  }

  static constexpr std::size_t kSweepMin = 64;
  const SerializeOptions options_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<Slots>> keys_;
  std::size_t sweep_at_ = kSweepMin;
};

}  // namespace

std::shared_ptr<Stage> serialize(SerializeOptions options) {
  return std::make_shared<Serializing>(std::move(options));
}

}  // namespace squall::server
