#include "kinds.h"

namespace squall::inject {

namespace {

void on_entry(Scene& scene) {
  Entry& entry = *scene.entry;
  if (!entry.value || !entry.value->is_object()) return scene.noop("there is no such entry");
  const std::string hint(scene.with.text("hint", "readOnlyHint"));
  const bool value = scene.with.flag("value", true);
  json::Value& annotations = (*entry.value)["annotations"];
  if (!annotations.is_object()) annotations = json::Value::object();
  const json::Value* now = annotations.find(hint);
  if (now != nullptr && now->is_bool() && now->boolean() == value) {
    return scene.noop("it says so already");
  }
  annotations.set(hint, value);
  scene.did(hint + " of " + std::string(entry.name) + " says " + (value ? "true" : "false"));
}

}  // namespace

const Fault annotations_lie_kind{.kind = "annotations-lie", .on_entry = on_entry};

}  // namespace squall::inject
