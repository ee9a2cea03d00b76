#include <algorithm>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kCountMax = 10'000;

/// Sends the client a request that is ours; its answer ends at the injector.
void ask(Scene& scene, std::string_view method, std::string how) {
  const jsonrpc::Id id = scene.make_id();
  if (scene.shared.swallow.size() < kCountMax) scene.shared.swallow.emplace_back(id.json());
  std::string bytes;
  jsonrpc::write_call(bytes, id, method, {});
  scene.send_behind(std::move(bytes), std::move(how));
}

void on_message(Scene& scene) {
  if (!scene.alone()) return;
  const std::string_view variant = scene.with.text("variant", "unanswered");
  if (variant == "unanswered") {
    if (scene.ongoing.id.empty()) return scene.noop("it is no request");
    scene.did("the client's answer will be lost");
    if (scene.shared.swallow.size() < kCountMax) {
      scene.shared.swallow.emplace_back(scene.ongoing.id.json());
    }
  } else if (variant == "unknown-method") {
    ask(scene, "sampling/createDream", "a request of an unknown method");
  } else {
    const std::uint64_t count = std::min(scene.with.count("count", 50), kCountMax);
    for (std::uint64_t n = 0; n < count; ++n) ask(scene, "ping", "one of a flood of pings");
  }
}

}  // namespace

const Fault server_requests_kind{.kind = "server-requests", .on_message = on_message};

}  // namespace squall::inject
