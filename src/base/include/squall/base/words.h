#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace squall::base {

/// The bytes of [p, p + size) in one word, for questions about any of them: their order isn't kept,
/// and some stand there more than once. `size` is 1 to 8; no byte beyond is read.
[[nodiscard]] inline std::uint64_t gather_bytes(const char* p, std::size_t size) noexcept {
  if (size >= 4) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, p, sizeof first);
    std::memcpy(&last, p + size - sizeof last, sizeof last);
    return first | std::uint64_t{last} << 32U;
  }
  const auto byte = [p](std::size_t at) -> std::uint64_t {
    return static_cast<unsigned char>(p[at]);
  };
  const std::uint64_t three = byte(0) | byte(size / 2) << 8U | byte(size - 1) << 16U;
  return three | three << 24U | three << 48U;
}

}  // namespace squall::base
