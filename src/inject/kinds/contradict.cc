#include "squall/fault/mutate.h"

#include "kinds.h"

namespace squall::inject {

namespace {

/// Keeps the texts as they were and changes the structured content.
void between_forms(Scene& scene, const json::Value& result) {
  const json::Value* content = result.find("content");
  if (!result.contains("structuredContent") || content == nullptr || content->items().empty()) {
    return scene.noop("there are not both text and structured content");
  }
  fault::CorruptOptions options;
  options.accept = [&scene](const json::Value& changed) {
    return scene.shared.memory.keeps_schema(scene.ongoing.tool, changed);
  };
  fault::Mutation wrong = fault::corrupt(result, scene.draws(), options);
  if (!wrong.changed()) return scene.noop("there is no value to change");
  wrong.result.set("content", *content);
  scene.set_result(std::move(wrong.result), "text and structured content disagree");
}

/// Makes this answer differ from an earlier one to the same question.
void between_calls(Scene& scene, const json::Value& result) {
  const Ongoing& call = scene.ongoing;
  const json::Value* earlier =
      call.arguments.empty() ? nullptr : scene.shared.memory.find(call.tool, call.arguments, 1);
  if (earlier == nullptr) return scene.noop("there is no earlier answer to contradict");
  if (*earlier != result) return scene.noop("the answers differ already");
  fault::Mutation wrong = fault::corrupt(result, scene.draws());
  if (!wrong.changed()) return scene.noop("there is no value to change");
  scene.set_result(std::move(wrong.result), "contradicts an earlier answer");
}

void on_response(Scene& scene) {
  const auto result = scene.result();
  if (!result) return scene.noop("there is no result");
  if (scene.with.text("between", "text-and-structured") == "calls") {
    between_calls(scene, *result);
  } else {
    between_forms(scene, *result);
  }
}

}  // namespace

const Fault contradict_kind{.kind = "contradict", .on_response = on_response};

}  // namespace squall::inject
