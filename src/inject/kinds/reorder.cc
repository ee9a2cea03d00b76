#include <algorithm>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kHeldMax = 1000;

void release(Scene& scene, std::vector<Send>& queue) {
  std::vector<std::size_t> order(queue.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = queue.size() - 1 - i;
  if (scene.with.text("order", "reversed") == "drawn") {
    order = scene.draws().order("order", queue.size());
  }
  for (const std::size_t i : order) {
    scene.shared.held_bytes -= queue[i].bytes->size();
    scene.out.behind.emplace_back(std::move(queue[i]));
  }
  queue.clear();
}

void on_response(Scene& scene) {
  const std::uint64_t hold = std::clamp<std::uint64_t>(scene.with.count("hold", 2), 2, kHeldMax);
  if (!scene.hold("held back to come in another order")) return;
  std::vector<Send>& queue = scene.shared.queues[scene.rule()];
  queue.push_back(std::move(scene.ongoing.held.back()));
  scene.ongoing.held.pop_back();
  const auto wait = scene.with.time("hold-for");
  if (queue.size() == 1 && wait.count() > 0) {
    const std::uint64_t token = ++scene.shared.wakes;
    scene.shared.wake_of[token] = scene.rule();
    scene.out.behind.emplace_back(Wake{token, wait});
  }
  if (queue.size() >= hold) release(scene, queue);
}

}  // namespace

const Fault reorder_kind{.kind = "reorder", .on_response = on_response};

}  // namespace squall::inject
