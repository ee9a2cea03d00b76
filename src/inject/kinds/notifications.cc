#include <algorithm>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kCountMax = 100'000;

void on_message(Scene& scene) {
  if (!scene.alone()) return;
  const std::string_view variant = scene.with.text("variant", "drop");
  const std::uint64_t count = std::min(scene.with.count("count", 100), kCountMax);
  if (variant == "drop") return scene.withhold("a notification dropped");
  if (variant == "duplicate") return scene.send_behind(scene.bytes(), "a notification again");
  if (variant == "cancel-unknown") {
    const json::Value params =
        json::Value::object({{"requestId", 7'654'321}, {"reason", "no such request"}});
    return scene.send_behind(make_notification("notifications/cancelled", params),
                             "a request cancelled that nobody made");
  }
  for (std::uint64_t n = 0; n < count; ++n) {
    scene.send_behind(scene.bytes(), "one of a storm of notifications");
  }
}

}  // namespace

const Fault notifications_kind{.kind = "notifications", .on_message = on_message};

}  // namespace squall::inject
