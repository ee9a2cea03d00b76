#include "kinds.h"

namespace squall::inject {

namespace {

void on_response(Scene& scene) {
  const auto result = scene.result();
  const Ongoing& call = scene.ongoing;
  if (!result || call.arguments.empty()) return scene.noop("there is no result");
  const bool of_site = scene.with.text("of", "site") == "site";
  const auto arguments = of_site ? std::optional<std::string_view>(call.arguments) : std::nullopt;
  const json::Value* earlier =
      scene.shared.memory.find(call.tool, arguments, scene.with.count("age", 1));
  if (earlier == nullptr) return scene.noop("there is no earlier answer");
  if (*earlier == *result) return scene.noop("the earlier answer is the same");
  scene.set_result(*earlier, "an earlier answer");
}

}  // namespace

const Fault stale_kind{.kind = "stale", .on_response = on_response};

}  // namespace squall::inject
