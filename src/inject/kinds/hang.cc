#include "kinds.h"

namespace squall::inject {

namespace {

// The server never hears of a request that hangs: what it does comes with `lost`.
void on_request(Scene& scene) {
  if (scene.with.is_time("until")) {
    return scene.delay(scene.with.time("until"), "held back before the server hears of it");
  }
  scene.hold("no answer");
}

void on_cancel(Scene& scene) {
  if (scene.with.text("until", "cancelled") != "cancelled") return;  // the client must close
  scene.did();
  scene.strike.over = true;
}

}  // namespace

const Fault hang_kind{.kind = "hang", .on_request = on_request, .on_cancel = on_cancel};

}  // namespace squall::inject
