#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  Line line;
  line.what = Line::What::pace;
  line.pace.latency = scene.with.delay("latency", 0);
  line.pace.jitter = scene.with.time("jitter");
  line.pace.bytes_per_second = scene.with.size("bandwidth");
  line.pace.slice = static_cast<std::size_t>(scene.with.size("slice"));
  if (line.pace == Pace{}) return scene.noop("neither latency, jitter, bandwidth nor slice");
  order(scene, std::move(line), "a slow line");
}

}  // namespace

const Fault throttle_kind{.kind = "throttle", .on_opened = on_opened};

}  // namespace squall::inject
