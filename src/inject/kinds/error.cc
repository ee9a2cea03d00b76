#include "kinds.h"

namespace squall::inject {

namespace {

json::Value make(const Scene& scene) {
  json::Value out = text_result(scene.with.text("message", "EACCES: permission denied"), true);
  if (scene.with.flag("empty")) out.set("content", json::Value::array());
  if (const json::Value* structured = scene.with.any("structured")) {
    out.set("structuredContent", *structured);
  }
  return out;
}

bool is_before(const Scene& scene) { return scene.with.text("execute", "after") == "before"; }

void on_request(Scene& scene) {
  if (is_before(scene)) scene.answer(make(scene), "a tool error, not executed");
}

void on_response(Scene& scene) {
  if (!is_before(scene)) scene.set_result(make(scene), "a tool error, though executed");
}

}  // namespace

const Fault error_kind{.kind = "error", .on_request = on_request, .on_response = on_response};

}  // namespace squall::inject
