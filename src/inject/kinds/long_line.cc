#include <algorithm>

#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::uint64_t kSizeMax = std::uint64_t{256} << 20;

// White space behind the brace: a message as good as before, in a line longer than buffers.
void on_traffic(Scene& scene) {
  const auto size = static_cast<std::size_t>(std::min(scene.with.size("size"), kSizeMax));
  std::string bytes = scene.bytes();
  const std::size_t brace = bytes.find('{');
  if (bytes.size() >= size || brace == std::string::npos) return;
  scene.set_bytes(bytes.insert(brace + 1, size - bytes.size(), ' '),
                  "a line of " + std::to_string(size) + " bytes");
}

}  // namespace

const Fault long_line_kind{.kind = "long-line", .on_traffic = on_traffic};

}  // namespace squall::inject
