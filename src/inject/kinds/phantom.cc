#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

/// What is given as `result` may be a whole result, or the value that one is to hold.
json::Value as_result(const json::Value& given) {
  if (given.is_object() && given.contains("content")) return given;
  if (given.is_string()) return text_result(given.string(), false);
  json::Value out = text_result(json::to_string(given), false);
  return out.set("structuredContent", given);
}

void on_request(Scene& scene) {
  const Ongoing& call = scene.ongoing;
  if (const json::Value* given = scene.with.any("result")) {
    return scene.answer(as_result(*given), "not executed, reported as done");
  }
  const json::Value* earlier =
      call.arguments.empty() ? nullptr : scene.shared.memory.find(call.tool, call.arguments, 1);
  if (earlier != nullptr) {
    return scene.answer(*earlier, "not executed, the last answer reported again");
  }
  scene.answer(text_result("OK", false), "not executed, reported as done");
}

}  // namespace

const Fault phantom_kind{.kind = "phantom", .on_request = on_request};

}  // namespace squall::inject
