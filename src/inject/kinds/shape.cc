#include "kinds.h"

namespace squall::inject {

namespace {

/// A round more, and never the last one.
json::Value endless(std::uint64_t round) {
  const json::Value asked = json::Value::object(
      {{"method", "elicitation/create"},
       {"params",
        json::Value::object(
            {{"mode", "form"},
             {"message", "Please confirm."},
             {"requestedSchema", json::Value::object({{"type", "object"},
                                                      {"properties", json::Value::object()}})}})}});
  return json::Value::object({{"resultType", "input_required"},
                              {"inputRequests", json::Value::object({{"confirm", asked}})},
                              {"requestState", "round-" + std::to_string(round)}});
}

void on_response(Scene& scene) {
  auto result = scene.result();
  auto message = scene.message();
  if (!result) return scene.noop("there is no result");
  const std::string variant(scene.with.text("variant", "unknown-block"));
  if (variant == "content-not-array") {
    const json::Value* content = result->find("content");
    const bool one = content != nullptr && content->size() == 1 && content->is_array();
    result->set("content", one ? content->items().front() : json::Value("none"));
  } else if (variant == "unknown-block") {
    json::Value& content = (*result)["content"];
    if (!content.is_array()) content = json::Value::array();
    content.push_back(json::Value::object({{"type", "hologram"}, {"data", "AAAA"}}));
  } else if (variant == "no-result-type") {
    if (!result->erase("resultType")) return scene.noop("this revision has no resultType");
  } else if (variant == "unknown-result-type") {
    result->set("resultType", "partial");
  } else if (variant == "empty-input-required") {
    *result = json::Value::object({{"resultType", "input_required"}});
  } else {
    *result = endless(++scene.fact("rounds"));
  }
  message->set("result", *std::move(result));
  scene.set_message(*message, "shape: " + variant);
}

}  // namespace

const Fault shape_kind{.kind = "shape", .on_response = on_response};

}  // namespace squall::inject
