#include "kinds.h"

namespace squall::inject {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

/// Whether the call still fits into the bucket of its tool; counts it.
bool fits(Scene& scene) {
  const std::uint64_t bucket = scene.with.count("bucket");
  if (bucket == 0) return false;
  const nanoseconds per = scene.with.time("per", seconds(60));
  std::uint64_t& window = scene.fact("window " + scene.ongoing.tool);
  std::uint64_t& used = scene.fact("used " + scene.ongoing.tool);
  const auto at = static_cast<std::uint64_t>(scene.now / std::max(per, nanoseconds(1))) + 1;
  if (window != at) used = 0;
  window = at;
  return ++used <= bucket;
}

void on_request(Scene& scene) {
  if (fits(scene)) return scene.noop("within the limit");
  const auto wait = std::chrono::ceil<seconds>(scene.with.time("retry-after")).count();
  std::string text = "Rate limit exceeded.";
  if (wait > 0) text += " Try again in " + std::to_string(wait) + " seconds.";
  const std::string_view as = scene.with.text("as", "error");
  json::Value result = text_result(text, as == "error");
  if (as == "structured") {
    json::Value told = json::Value::object({{"error", "rate_limited"}});
    if (wait > 0) told.set("retry_after_seconds", wait);
    result.set("structuredContent", std::move(told));
  }
  scene.answer(std::move(result), "rate limited, not executed");
}

}  // namespace

const Fault rate_limited_kind{.kind = "rate-limited", .on_request = on_request};

}  // namespace squall::inject
