#include "kinds.h"

namespace squall::inject {

namespace {

void on_opened(Scene& scene) {
  scene.fact("opened " + scene.ongoing.session) = static_cast<std::uint64_t>(scene.now.count()) + 1;
  scene.strike.seen = 0;
}

/// Once it has ended, every request in it is refused.
void on_traffic(Scene& scene) {
  const std::uint64_t n = ++scene.strike.seen;
  const std::uint64_t opened = scene.fact("opened " + scene.ongoing.session);
  const auto age = scene.now - std::chrono::nanoseconds(opened == 0 ? 0 : opened - 1);
  const bool by_time = scene.with.is_time("after") && age >= scene.with.time("after");
  const std::uint64_t most = scene.with.count("after-requests");
  const bool by_number = !scene.with.is_time("after") && n > most;
  if (!by_time && !by_number) return;
  const std::string answer(scene.with.text("answer", "404"));
  const unsigned status = answer == "400" ? 400 : answer == "401" ? 401 : 404;
  scene.answer_http(status, {}, {}, "the session has ended: " + answer);
}

}  // namespace

const Fault expire_kind{.kind = "expire", .on_opened = on_opened, .on_traffic = on_traffic};

}  // namespace squall::inject
