#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  const std::string variant(scene.with.text("variant", "ignores-term"));
  ProcessAct act;
  act.what = ProcessAct::What::ignore_term;
  if (variant == "grandchild-keeps-pipes") act.what = ProcessAct::What::keep_pipes;
  if (variant == "survives-eof") act.what = ProcessAct::What::survive_end;
  order(scene, std::move(act), "does not go: " + variant);
}

}  // namespace

const Fault ignore_term_kind{.kind = "ignore-term", .on_opened = on_opened};

}  // namespace squall::inject
