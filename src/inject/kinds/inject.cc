#include "kinds.h"

namespace squall::inject {

namespace {

/// The first string in what is told, to be continued; null when there is none.
json::Value* first_string(json::Value& root) {
  std::vector<json::Value*> pending = {&root};
  constexpr std::size_t kLookedAtMax = 10'000;
  for (std::size_t i = 0; i < pending.size() && i < kLookedAtMax; ++i) {
    if (pending[i]->is_string()) return pending[i];
    for (json::Value& item : pending[i]->items()) pending.push_back(&item);
    for (json::Member& member : pending[i]->members()) pending.push_back(&member.value);
  }
  return nullptr;
}

void into_structured(Scene& scene, json::Value result, std::string_view text) {
  json::Value* structured = result.find("structuredContent");
  json::Value* at = structured == nullptr ? nullptr : first_string(*structured);
  if (at == nullptr) return scene.noop("the structured content has no string");
  *at = std::string(at->string()) + " " + std::string(text);
  scene.set_result(std::move(result), "instructions in the structured content");
}

void into_progress(Scene& scene, std::string_view text) {
  if (scene.ongoing.progress_token.is_null()) return scene.noop("nobody asked for progress");
  const json::Value params = json::Value::object(
      {{"progressToken", scene.ongoing.progress_token}, {"progress", 1}, {"message", text}});
  scene.send_before(make_notification("notifications/progress", params),
                    "instructions in a progress message");
}

void on_response(Scene& scene) {
  const std::string_view text = scene.with.text("text");
  const std::string_view where = scene.with.text("where", "result");
  if (where == "progress") return into_progress(scene, text);
  if (where == "error")
    return scene.set_result(text_result(text, true), "instructions in an error");
  auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  if (where == "structured") return into_structured(scene, *std::move(result), text);
  json::Value& content = (*result)["content"];
  if (!content.is_array()) content = json::Value::array();
  if (where == "resource") {
    const json::Value resource = json::Value::object(
        {{"uri", "file:///notes.txt"}, {"mimeType", "text/plain"}, {"text", text}});
    content.push_back(json::Value::object({{"type", "resource"}, {"resource", resource}}));
  } else if (where == "file-name") {
    content.push_back(json::Value::object(
        {{"type", "resource_link"}, {"uri", "file:///notes.txt"}, {"name", text}}));
  } else {
    content.push_back(text_block(text));
  }
  scene.set_result(*std::move(result), "instructions in the " + std::string(where));
}

}  // namespace

const Fault inject_kind{.kind = "inject", .on_response = on_response};

}  // namespace squall::inject
