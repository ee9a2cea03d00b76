#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  const std::string variant(scene.with.text("variant", "unread"));
  ProcessAct act;
  act.what = ProcessAct::What::stop_reading;
  if (variant == "closed") act.what = ProcessAct::What::close_stdin;
  if (variant == "stdout-closed") act.what = ProcessAct::What::close_stdout;
  order(scene, std::move(act), "stdin: " + variant);
}

}  // namespace

const Fault stdin_stall_kind{.kind = "stdin-stall", .on_opened = on_opened};

}  // namespace squall::inject
