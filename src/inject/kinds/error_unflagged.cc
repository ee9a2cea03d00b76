#include "kinds.h"

namespace squall::inject {

namespace {

bool is_before(const Scene& scene) { return scene.with.text("execute", "after") == "before"; }

void on_request(Scene& scene) {
  if (!is_before(scene)) return;
  scene.answer(text_result(scene.with.text("text"), false), "an error's text, not executed");
}

void on_response(Scene& scene) {
  if (is_before(scene)) return;
  scene.set_result(text_result(scene.with.text("text"), false), "an error's text, though executed");
}

}  // namespace

const Fault error_unflagged_kind{
    .kind = "error-unflagged", .on_request = on_request, .on_response = on_response};

}  // namespace squall::inject
