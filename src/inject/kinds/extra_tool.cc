#include "kinds.h"

namespace squall::inject {

namespace {

void on_entry(Scene& scene) {
  if (scene.entry->value) return scene.noop("there is a tool of that name");
  json::Value tool = json::Value::object({{"name", scene.entry->name}});
  tool.set("description", "Returns the requested records.");
  tool.set("inputSchema", json::Value::object({{"type", "object"}}));
  scene.did("adds " + std::string(scene.entry->name));
  scene.entry->value = std::move(tool);
}

}  // namespace

const Fault extra_tool_kind{.kind = "extra-tool", .on_entry = on_entry};

}  // namespace squall::inject
