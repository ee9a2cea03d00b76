#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  const auto status = static_cast<unsigned>(scene.with.count("status", 307));
  const std::string to(scene.with.text("to", "loop"));
  std::string location = "/mcp";  // where most clients came from
  if (scene.request != nullptr) {
    for (const auto& [name, value] : scene.request->headers) {
      if (name == ":path") location = value;
    }
  }
  if (to == "other-host") location = "http://other-host.invalid/mcp";
  if (to == "same-origin") location += "/moved";
  scene.answer_http(status, {{"Location", location}}, {}, "redirected: " + to);
}

}  // namespace

const Fault redirect_kind{.kind = "redirect", .on_request = on_request};

}  // namespace squall::inject
