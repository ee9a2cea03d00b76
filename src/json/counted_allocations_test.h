#pragma once

#include <cstddef>

namespace squall::json {

/// What the test program's own operator new has handed out.
struct AllocationCount {
  std::size_t allocations;
  std::size_t bytes;
};
[[nodiscard]] AllocationCount allocations_so_far() noexcept;

}  // namespace squall::json
