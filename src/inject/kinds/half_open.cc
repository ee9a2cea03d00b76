#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  const bool mute = scene.with.text("direction", "to-client") == "to-client";
  Line line;
  line.what = mute ? Line::What::mute : Line::What::deaf;
  order(scene, std::move(line), mute ? "nothing more is written" : "nothing more is read");
}

}  // namespace

const Fault half_open_kind{.kind = "half-open", .on_opened = on_opened};

}  // namespace squall::inject
