#include "squall/fault/profile.h"

#include "kinds.h"

namespace squall::inject {

namespace {

void as_error(Scene& scene) {
  if (scene.with.text("as", "result") != "error") return;
  scene.answer_error(jsonrpc::code::kInternalError, "Internal error", "as an error");
}

void on_response(Scene& scene) {
  const auto more = scene.with.delay("delay", scene.bytes().size());
  if (scene.with.is_time("after")) {
    as_error(scene);
    const auto delay = scene.with.time("after") + more;
    return scene.delay(delay, fault::time_text(delay) + " late");
  }
  if (scene.ongoing.cancelled) {
    as_error(scene);
    return scene.delay(more, "after the cancellation");
  }
  scene.out.main->after += more;
  as_error(scene);
  scene.hold("held back until the client cancels");
}

// The server is not told of the cancellation: its answer is what comes late.
void on_cancel(Scene& scene) {
  if (scene.with.is_time("after")) {
    scene.strike.over = true;
    return;
  }
  scene.did();
  if (scene.ongoing.held.empty()) return;  // still to come
  scene.release_held();
  scene.strike.over = true;
}

}  // namespace

const Fault late_kind{.kind = "late", .on_response = on_response, .on_cancel = on_cancel};

}  // namespace squall::inject
