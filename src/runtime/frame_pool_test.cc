#include "squall/runtime/frame_pool.h"

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "squall/runtime/task.h"

namespace squall::runtime {
namespace {

TEST(FramePool, GivesBlocksOfAnySizeThatDoNotOverlap) {
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (std::size_t round = 0; round < 3; ++round) {
    for (const std::size_t size : {1, 63, 64, 65, 500, 2'048, 2'049, 100'000}) {
      auto* block = static_cast<unsigned char*>(allocate_pooled(size));
      std::memset(block, static_cast<int>(blocks.size()), size);
      blocks.emplace_back(block, size);
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].first[0], i);
    EXPECT_EQ(blocks[i].first[blocks[i].second - 1], i);
    free_pooled(blocks[i].first, blocks[i].second);
  }
}

TEST(FramePool, TakesBlocksFromOtherThreads) {
  std::vector<void*> blocks(1'000);
  for (void*& block : blocks) block = allocate_pooled(100);
  std::thread([&blocks] {
    for (void* block : blocks) free_pooled(block, 100);
    free_pooled(allocate_pooled(100), 100);
  }).join();
}

TEST(FramePool, IsAnAllocatorToo) {
  const auto one = std::allocate_shared<int>(PoolAllocator<int>(), 7);
  EXPECT_EQ(*one, 7);
}

Task<int> inner(int value) { co_return value + 1; }

Task<int> outer(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    Task<int> task = inner(i);
    sum += co_await std::move(task);
  }
  co_return sum;
}

TEST(FramePool, ServesCoroutines) {
  Task<int> task = outer(1'000);
  task.start();
  EXPECT_EQ(task.take(), 500'500);
}

}  // namespace
}  // namespace squall::runtime
