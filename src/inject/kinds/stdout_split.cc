#include <algorithm>

#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  ProcessAct act;
  const bool join = scene.with.flag("join");
  act.what = join ? ProcessAct::What::join_stdout : ProcessAct::What::split_stdout;
  act.bytes = std::max<std::uint64_t>(scene.with.count("bytes", 1), 1);
  act.lasting = scene.with.time("pause");
  order(scene, std::move(act), join ? "two messages a write" : "messages written in pieces");
}

}  // namespace

const Fault stdout_split_kind{.kind = "stdout-split", .on_opened = on_opened};

}  // namespace squall::inject
