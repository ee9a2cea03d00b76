#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

/// @file Memory for small objects of one type that come and go, kept between them.

namespace squall::transport {

/// Blocks of one size, given back by whoever frees one. For one thread.
class BlockPool {
 public:
  explicit BlockPool(std::size_t blocks_max) : blocks_max_(blocks_max) {}
  ~BlockPool() {
    for (void* block : blocks_) ::operator delete(block);
  }
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  [[nodiscard]] void* take(std::size_t size) {
    if (size != size_ || blocks_.empty()) return ::operator new(size);
    void* block = blocks_.back();
    blocks_.pop_back();
    return block;
  }
  void give(void* block, std::size_t size) {
    if (size_ == 0) size_ = size;
    if (size == size_ && blocks_.size() < blocks_max_) {
      blocks_.push_back(block);
    } else {
      ::operator delete(block);
    }
  }

 private:
  std::size_t blocks_max_;
  std::size_t size_ = 0;
  std::vector<void*> blocks_;
};

/// For std::allocate_shared. The objects share the pool, because they may outlive its maker.
template <typename T>
class PoolAllocator {
 public:
  using value_type = T;
  explicit PoolAllocator(std::shared_ptr<BlockPool> pool) : pool_(std::move(pool)) {}
  template <typename U>
  explicit PoolAllocator(const PoolAllocator<U>& other) : pool_(other.pool()) {}
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(pool_->take(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) noexcept { pool_->give(block, count * sizeof(T)); }
  [[nodiscard]] const std::shared_ptr<BlockPool>& pool() const noexcept { return pool_; }
  friend bool operator==(const PoolAllocator& a, const PoolAllocator& b) noexcept {
    return a.pool_ == b.pool_;
  }

 private:
  std::shared_ptr<BlockPool> pool_;
};

}  // namespace squall::transport
