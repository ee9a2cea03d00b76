#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  const std::string variant(scene.with.text("variant", "refuse"));
  Line line;
  if (variant == "accept-close") line.what = Line::What::close;
  if (variant == "accept-silent") line.what = Line::What::ignore;
  order(scene, std::move(line), "no connection: " + variant);
}

}  // namespace

const Fault refuse_kind{.kind = "refuse", .on_opened = on_opened};

}  // namespace squall::inject
