#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

std::string noise(std::string_view text) {
  if (text == "log") return "2026-01-01 00:00:00 INFO server: listening\n";
  if (text == "ansi") return "\x1b[32mready\x1b[0m\n";
  if (text == "json-like") return "{\"level\":\"info\",\"msg\":\"ready\"}\n";
  return "MCP server v1.0 running on stdio\n";
}

std::string_view when(const Scene& scene) { return scene.with.text("when", "start"); }

void on_opened(Scene& scene) {
  if (when(scene) != "start") return;
  scene.did();
  scene.out.behind.emplace_back(
      raw_bytes(scene, noise(scene.with.text("text", "banner")), "noise on stdout"));
}

void on_traffic(Scene& scene) {
  if (when(scene) == "start") return;
  const std::string text = noise(scene.with.text("text", "banner"));
  if (when(scene) == "between") {
    scene.did();
    scene.out.before.emplace_back(raw_bytes(scene, text, "noise between messages"));
    return;
  }
  const std::string bytes = scene.bytes();
  scene.set_bytes(bytes.substr(0, bytes.size() / 2) + text + bytes.substr(bytes.size() / 2),
                  "noise inside a message");
}

}  // namespace

const Fault stdout_noise_kind{
    .kind = "stdout-noise", .on_opened = on_opened, .on_traffic = on_traffic};

}  // namespace squall::inject
