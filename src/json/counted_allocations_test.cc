#include "counted_allocations_test.h"

#include <atomic>
#include <cstdlib>
#include <new>

// Replaces the global operators of the test program; apart from the tests, so that the compiler
// cannot inline one half of a new and delete pair.

namespace {
std::atomic<std::size_t> allocation_count = 0;
std::atomic<std::size_t> allocated_bytes = 0;
}  // namespace

void* operator new(std::size_t bytes) {
  ++allocation_count;
  allocated_bytes += bytes;
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
// The sorts of the standard library ask in this way, and would get the sanitizer's own block.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return operator new(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace squall::json {
AllocationCount allocations_so_far() noexcept { return {allocation_count, allocated_bytes}; }
}  // namespace squall::json
