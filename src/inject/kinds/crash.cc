#include <algorithm>
#include <csignal>

#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

std::string_view when(const Scene& scene) { return scene.with.text("when", "after-messages"); }

void die(Scene& scene, std::string how) {
  const std::string_view name = scene.with.text("signal", "kill");
  ProcessAct act;
  act.what = ProcessAct::What::signal;
  act.number = SIGKILL;
  if (name == "segv") act.number = SIGSEGV;
  if (name == "term") act.number = SIGTERM;
  if (name == "abrt") act.number = SIGABRT;
  if (scene.with.has("exit-code") && !scene.with.has("signal")) {
    act.what = ProcessAct::What::exit;
    act.number = static_cast<int>(scene.with.count("exit-code") & 0xFFU);
  }
  if (scene.out.main) act.after = scene.out.main->after;
  order(scene, std::move(act), std::move(how));
  scene.strike.over = true;
}

/// Without `loop`, a process that takes the place of one that crashed lives.
bool is_spared(Scene& scene) {
  std::uint64_t& crashes = scene.fact("crashes");
  if (crashes > 0 && !scene.with.flag("loop")) return true;
  return false;
}

void on_opened(Scene& scene) {
  if (is_spared(scene)) return scene.noop("it crashed before");
  if (when(scene) != "start") return;
  ++scene.fact("crashes");
  die(scene, "dies at its start");
}

void on_traffic(Scene& scene) {
  const std::uint64_t n = ++scene.strike.seen;
  std::uint64_t last = scene.with.count("messages", 1);
  if (when(scene) == "after-initialize" || when(scene) == "start") last = 1;
  if (n < std::max<std::uint64_t>(last, 1)) return;
  ++scene.fact("crashes");
  if (when(scene) == "mid-write") {
    const std::string bytes = scene.bytes();
    scene.set_bytes(bytes.substr(0, bytes.size() / 2), "half a message");
    scene.out.main->form = Send::Form::raw;
    return die(scene, "dies amid a message");
  }
  die(scene, "dies behind message " + std::to_string(n));
}

}  // namespace

const Fault crash_kind{.kind = "crash", .on_opened = on_opened, .on_traffic = on_traffic};

}  // namespace squall::inject
