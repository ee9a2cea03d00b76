#pragma once

#include <cstddef>
#include <new>

namespace squall::runtime {

/// Memory for what lives as long as a request: coroutine frames, above all. Freed blocks stay with
/// the thread, up to a bound, and serve its next ones without the global heap. A block may be freed
/// on another thread than it came from. Under a sanitizer, the heap itself.
[[nodiscard]] void* allocate_pooled(std::size_t bytes);
void free_pooled(void* block, std::size_t bytes) noexcept;

/// The same as an allocator: `std::allocate_shared<T>(PoolAllocator<T>(), ...)`.
template <typename T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() noexcept = default;
  template <typename U>
  PoolAllocator(const PoolAllocator<U>&) noexcept {}
  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__,
                  "over-aligned types need the heap");
    return static_cast<T*>(allocate_pooled(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) noexcept { free_pooled(block, count * sizeof(T)); }
  friend bool operator==(const PoolAllocator&, const PoolAllocator&) noexcept { return true; }
};

}  // namespace squall::runtime
