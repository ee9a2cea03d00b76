#include "kinds.h"

namespace squall::inject {

namespace {

void on_response(Scene& scene) {
  const bool http = scene.ongoing.is_http();
  const std::string_view how = scene.with.text("how", http ? "close" : "silence");
  scene.withhold("executed, the response lost");
  if (how == "silence") {
    scene.ongoing.silent = true;
  } else {
    scene.end(how == "reset" ? Cut::reset : Cut::close, "executed, the response lost");
  }
}

}  // namespace

const Fault lost_kind{.kind = "lost", .on_response = on_response};

}  // namespace squall::inject
