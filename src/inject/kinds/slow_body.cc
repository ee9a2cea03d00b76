#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  Shape shape;
  shape.pace.over = scene.with.time("over");
  shape.pace.parts = static_cast<std::size_t>(scene.with.count("chunks", 10));
  shape.pace.bytes_per_second = scene.with.size("rate");
  if (shape.pace.over.count() == 0 && shape.pace.bytes_per_second == 0) {
    shape.pace.over = std::chrono::seconds(5);
  }
  shape.pace.headers_too = scene.with.flag("headers");
  scene.shape(std::move(shape), "a body that trickles");
}

}  // namespace

const Fault slow_body_kind{.kind = "slow-body", .on_request = on_request};

}  // namespace squall::inject
