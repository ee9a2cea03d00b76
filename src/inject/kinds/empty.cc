#include "kinds.h"

namespace squall::inject {

namespace {

json::Value make(std::string_view style) {
  if (style == "empty-text") return text_result("", false);
  if (style == "null") return json::Value::object({{"content", json::Value()}});
  if (style == "empty-array") {
    json::Value out = text_result("[]", false);
    return out.set("structuredContent", json::Value::array());
  }
  return json::Value::object({{"content", json::Value::array()}});
}

void on_response(Scene& scene) {
  json::Value empty = make(scene.with.text("style", "no-blocks"));
  const auto now = scene.result();
  if (now && now->find("content") != nullptr && *now->find("content") == *empty.find("content") &&
      !now->contains("structuredContent")) {
    return scene.noop("the result is empty already");
  }
  scene.set_result(std::move(empty), "a result without content");
}

}  // namespace

const Fault empty_kind{.kind = "empty", .on_response = on_response};

}  // namespace squall::inject
