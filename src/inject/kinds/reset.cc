#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  const std::string when(scene.with.text("when", "during"));
  Line line;
  line.what = Line::What::reset;
  line.when = Line::When::during_response;
  if (when == "before") line.when = Line::When::before_response;
  if (when == "after") line.when = Line::When::after_response;
  line.bytes = scene.with.size("after-bytes", 1);
  order(scene, std::move(line), "reset " + when + " a response");
}

}  // namespace

const Fault reset_kind{.kind = "reset", .on_opened = on_opened};

}  // namespace squall::inject
