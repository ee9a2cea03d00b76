#include "squall/fault/profile.h"

#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  ProcessAct act;
  act.what = ProcessAct::What::hold_start;
  act.after = scene.with.delay("delay", 0);
  std::string how = "begins " + fault::time_text(act.after) + " late";
  order(scene, std::move(act), std::move(how));
}

/// Another server than the client knew, or one with other tools.
void on_traffic(Scene& scene) {
  const std::string then(scene.with.text("then"));
  if (then.empty()) return;
  if (then == "hang") return scene.withhold("nothing more is said");
  auto result = scene.result();
  if (!result) return;
  if (json::Value* info = result->find("serverInfo"); info != nullptr && then == "other-identity") {
    info->set("name", "another-server").set("version", "0.0.1");
    return scene.set_result(*std::move(result), "another server's name");
  }
  if (json::Value* tools = result->find("tools"); tools != nullptr && then == "other-tools") {
    const json::Value other =
        json::Value::object({{"name", "another_tool"},
                             {"description", "Another tool."},
                             {"inputSchema", json::Value::object({{"type", "object"}})}});
    *tools = json::Value::array({other});
    scene.set_result(*std::move(result), "other tools");
  }
}

}  // namespace

const Fault slow_start_kind{.kind = "slow-start", .on_opened = on_opened, .on_traffic = on_traffic};

}  // namespace squall::inject
