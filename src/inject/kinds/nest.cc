#include <algorithm>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kDepthMax = 10'000'000;

void on_response(Scene& scene) {
  auto message = scene.message();
  json::Value* result = message ? message->find("result") : nullptr;
  if (result == nullptr) return scene.noop("there is no result");
  const auto depth = static_cast<std::size_t>(std::min(scene.with.count("depth"), kDepthMax));
  if (depth == 0) return scene.noop("no depth, no nesting");
  (*result)["_meta"].set("nested", kRawMark);
  const std::string nested = std::string(depth, '[') + std::string(depth, ']');
  scene.set_bytes(write_with_raw(scene.bytes(), *message, nested),
                  std::to_string(depth) + " levels deep");
}

}  // namespace

const Fault nest_kind{.kind = "nest", .on_response = on_response};

}  // namespace squall::inject
