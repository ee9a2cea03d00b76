#include "squall/fault/profile.h"

#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  ProcessAct act;
  act.what = ProcessAct::What::stop;
  act.lasting = scene.with.time("for");
  std::string how = "stopped for " + fault::time_text(act.lasting);
  order(scene, std::move(act), std::move(how));
}

}  // namespace

const Fault pause_kind{.kind = "pause", .on_opened = on_opened};

}  // namespace squall::inject
