#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  ProcessAct act;
  act.what = ProcessAct::What::flood_stderr;
  act.bytes = scene.with.size("size");
  act.rate = scene.with.size("rate");
  order(scene, std::move(act), "a flood on stderr");
}

}  // namespace

const Fault stderr_flood_kind{.kind = "stderr-flood", .on_opened = on_opened};

}  // namespace squall::inject
