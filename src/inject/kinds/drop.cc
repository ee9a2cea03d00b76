#include "kinds.h"

namespace squall::inject {

namespace {

std::string_view direction(const Scene& scene) { return scene.with.text("direction", "request"); }

void on_request(Scene& scene) {
  if (direction(scene) == "request") scene.withhold("the request dropped");
}

void on_response(Scene& scene) {
  if (direction(scene) != "response") return;
  scene.withhold("the response dropped");
  scene.ongoing.silent = true;
}

void on_message(Scene& scene) {
  if (scene.alone() || direction(scene) == "notification") scene.withhold("a message dropped");
}

void on_notification(Scene& scene) { scene.withhold("a notification dropped"); }

}  // namespace

const Fault drop_kind{.kind = "drop",
                      .on_request = on_request,
                      .on_response = on_response,
                      .on_message = on_message,
                      .on_notification = on_notification};

}  // namespace squall::inject
