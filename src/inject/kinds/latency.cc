#include "squall/fault/profile.h"

#include "kinds.h"

namespace squall::inject {

namespace {

void on_response(Scene& scene) {
  const auto delay = scene.with.delay("delay", scene.bytes().size());
  if (delay.count() <= 0) return scene.noop("the delay is zero");
  scene.delay(delay, fault::time_text(delay) + " late");
}

void on_message(Scene& scene) {
  if (scene.alone()) on_response(scene);
}

}  // namespace

const Fault latency_kind{.kind = "latency",
                         .on_response = on_response,
                         .on_message = on_message,
                         .on_notification = on_response};

}  // namespace squall::inject
