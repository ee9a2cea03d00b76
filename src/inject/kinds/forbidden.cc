#include "../challenge.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  if (scene.with.has("satisfied-after")) {
    std::uint64_t& refused = scene.fact("refused");
    if (refused >= scene.with.count("satisfied-after")) return scene.noop("satisfied by now");
    ++refused;
  }
  const std::string need(scene.with.text("need"));
  std::string header = R"(Bearer error="insufficient_scope")";
  if (!need.empty()) header += ", scope=\"" + need + "\"";
  challenge(scene, 403, std::move(header), "403: insufficient scope");
}

}  // namespace

const Fault forbidden_kind{
    .kind = "forbidden", .on_request = on_request, .on_notification = on_request};

}  // namespace squall::inject
