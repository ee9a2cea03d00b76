#include "squall/runtime/frame_pool.h"

#include <array>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SQUALL_FRAMES_ON_HEAP 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SQUALL_FRAMES_ON_HEAP 1
#endif

namespace squall::runtime {

#ifdef SQUALL_FRAMES_ON_HEAP

void* allocate_pooled(std::size_t bytes) { return ::operator new(bytes); }
void free_pooled(void* block, std::size_t bytes) noexcept { ::operator delete(block, bytes); }

#else

namespace {

constexpr std::size_t kStep = 64;  // of sizes
constexpr std::size_t kSizes = 32;
constexpr std::size_t kKeptMax = 128;  // blocks of one size

struct Block {
  Block* next;
};

/// The free blocks of one thread, by size.
struct Pool {
  std::array<Block*, kSizes> free{};
  std::array<std::size_t, kSizes> kept{};
  ~Pool();
};

// A frame may be destroyed after its thread's pool has been.
thread_local bool pool_is_gone = false;
thread_local Pool pool;

Pool::~Pool() {
  pool_is_gone = true;
  for (Block* block : free) {
    while (block != nullptr) {
      Block* const next = block->next;
      ::operator delete(block);
      block = next;
    }
  }
}

/// The place of a size in the pool; kSizes when it has none.
std::size_t place_of(std::size_t bytes) { return bytes == 0 ? 0 : (bytes - 1) / kStep; }

}  // namespace

void* allocate_pooled(std::size_t bytes) {
  const std::size_t place = place_of(bytes);
  if (place >= kSizes) return ::operator new(bytes);
  if (!pool_is_gone) {
    if (Block* const block = pool.free[place]; block != nullptr) {
      pool.free[place] = block->next;
      --pool.kept[place];
      return block;
    }
  }
  return ::operator new((place + 1) * kStep);
}

void free_pooled(void* block, std::size_t bytes) noexcept {
  const std::size_t place = place_of(bytes);
  if (place >= kSizes || pool_is_gone || pool.kept[place] >= kKeptMax) {
    ::operator delete(block);
    return;
  }
  pool.free[place] = ::new (block) Block{pool.free[place]};
  ++pool.kept[place];
}

#endif

}  // namespace squall::runtime
