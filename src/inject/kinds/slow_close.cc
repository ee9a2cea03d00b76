#include "squall/fault/profile.h"

#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  Line line;
  line.what = Line::What::close_slowly;
  line.after = scene.with.delay("delay", 0);
  std::string how = "closes " + fault::time_text(line.after) + " late";
  order(scene, std::move(line), std::move(how));
}

}  // namespace

const Fault slow_close_kind{.kind = "slow-close", .on_opened = on_opened};

}  // namespace squall::inject
