#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"
#include "squall/runtime/task_set.h"

#include "slots.h"

namespace squall::server {
namespace {

struct Shared {
  std::shared_ptr<Slots> slots = std::make_shared<Slots>(1, 1'000);
  std::atomic<int> inside = 0;
  std::atomic<int> together = 0;
  std::atomic<int> served = 0;
  long guarded = 0;  // by the slot alone: the thread sanitizer would see two at once
};

/// Counts itself out even where it is destroyed.
struct Inside {
  explicit Inside(Shared& of) : shared(of) {
    if (++shared.inside != 1) ++shared.together;
    ++shared.guarded;
  }
  ~Inside() {
    ++shared.guarded;
    --shared.inside;
  }
  Shared& shared;
};

Task<void> change(Shared& shared, runtime::Loop& loop) {
  Slots::Awaiter turn = shared.slots->acquire(loop);
  const Slots::Hold hold = co_await turn;
  if (!hold) co_return;
  const Inside inside(shared);
  co_await runtime::Sleep(loop, std::chrono::microseconds(1));
  ++shared.served;
}

/// Starts calls and aborts about half of them, at random times.
void storm(Shared& shared, unsigned seed, int calls) {
  const auto loop = runtime::SystemLoop::make();
  runtime::TaskSet tasks(*loop);
  std::mt19937 random(seed);
  std::vector<runtime::TaskSet::Id> ids;
  int started = 0;
  std::function<void()> turn = [&] {
    for (int i = 0; i < 8 && started < calls; ++i, ++started) {
      ids.push_back(tasks.start(change(shared, *loop)));
    }
    for (int i = 0; i < 4 && !ids.empty(); ++i) {
      const std::size_t at = random() % ids.size();
      tasks.cancel(ids[at]);
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (started < calls || tasks.size() != 0) {
      loop->call_after(std::chrono::microseconds(random() % 50), turn);
    } else {
      loop->stop();
    }
  };
  loop->post(turn);
  loop->hold();
  loop->run();
  loop->release();
}

TEST(SlotsConcurrently, NeverLetTwoTogetherHoweverManyWaitersAreAborted) {
  Shared shared;
  constexpr int kThreads = 4;
  constexpr int kCalls = 2'000;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&shared, i] { storm(shared, static_cast<unsigned>(i) + 1, kCalls); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.together, 0);
  EXPECT_EQ(shared.slots->held(), 0U);
  EXPECT_EQ(shared.slots->waiting(), 0U);
  EXPECT_GT(shared.served, 0);
  EXPECT_LT(shared.served, kThreads * kCalls);
}

}  // namespace
}  // namespace squall::server
