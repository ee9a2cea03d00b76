#include <algorithm>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kCountMax = 100'000;

std::string note(const json::Value& token, std::int64_t progress) {
  return make_notification("notifications/progress",
                           json::Value::object({{"progressToken", token}, {"progress", progress}}));
}

void on_request(Scene& scene) {
  if (scene.ongoing.progress_token.is_null()) scene.noop("nobody asked for progress");
}

void on_response(Scene& scene) {
  const json::Value token = scene.ongoing.progress_token;
  const std::string_view variant = scene.with.text("variant", "backwards");
  const auto count = static_cast<std::int64_t>(std::min(scene.with.count("count", 100), kCountMax));
  if (variant == "flood") {
    for (std::int64_t n = 1; n <= count; ++n) scene.send_before(note(token, n), "progress flood");
  } else if (variant == "backwards") {
    for (const std::int64_t n : {3, 2, 1}) scene.send_before(note(token, n), "progress backwards");
  } else if (variant == "after-result") {
    scene.send_behind(note(token, 1), "progress behind the result");
  } else if (variant == "wrong-token") {
    scene.send_before(note("no-such-token", 1), "progress of nobody");
  }
}

void on_message(Scene& scene) {
  const auto message = scene.message();
  const bool progress =
      message && message->find_string("method").value_or("") == "notifications/progress";
  if (progress && scene.with.text("variant") == "missing") {
    scene.withhold("progress left out");
  }
}

}  // namespace

const Fault progress_kind{.kind = "progress",
                          .on_request = on_request,
                          .on_response = on_response,
                          .on_message = on_message};

}  // namespace squall::inject
