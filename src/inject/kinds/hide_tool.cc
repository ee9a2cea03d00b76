#include "kinds.h"

namespace squall::inject {

namespace {

void on_entry(Scene& scene) {
  if (!scene.entry->value) return scene.noop("there is no such entry");
  scene.did("hides " + std::string(scene.entry->name));
  scene.entry->value.reset();
}

}  // namespace

const Fault hide_tool_kind{.kind = "hide-tool", .on_entry = on_entry};

}  // namespace squall::inject
