#include "slots.h"

#include <vector>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"
#include "squall/runtime/task_set.h"

namespace squall::server {
namespace {

using namespace std::chrono_literals;

class SlotsTest : public testing::Test {
 protected:
  /// Holds a place for a while, and notes when it has one.
  Task<void> use(std::shared_ptr<Slots> slots, int number, runtime::Duration span) {
    Slots::Awaiter turn = slots->acquire(*loop);
    const Slots::Hold hold = co_await turn;
    if (!hold) {
      refused.push_back(number);
      co_return;
    }
    order.push_back(number);
    most = std::max(most, ++inside);
    co_await runtime::Sleep(*loop, span);
    --inside;
  }
  const std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  runtime::TaskSet tasks{*loop};
  std::vector<int> order, refused;
  int inside = 0;
  int most = 0;
};

TEST_F(SlotsTest, ServesThoseWhoWaitInTheirOrder) {
  const auto slots = std::make_shared<Slots>(2, 10);
  for (int i = 0; i < 6; ++i) tasks.start(use(slots, i, 10ms));
  loop->advance(100ms);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(most, 2);
  EXPECT_EQ(slots->held(), 0U);
}

TEST_F(SlotsTest, RefusesWhoFindsTheQueueFullAndTellsWhenToComeBack) {
  const auto slots = std::make_shared<Slots>(1, 1);
  EXPECT_GT(slots->retry_after(), 0ms);
  tasks.start(use(slots, 0, 10ms));
  loop->advance(20ms);
  for (int i = 1; i < 4; ++i) tasks.start(use(slots, i, 10ms));
  EXPECT_EQ(refused, (std::vector<int>{3}));
  // One runs and one waits, at 10 ms each.
  EXPECT_EQ(slots->retry_after(), 20ms);
  loop->advance(100ms);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST_F(SlotsTest, PassesAWaiterThatIsGoneBy) {
  const auto slots = std::make_shared<Slots>(1, 10);
  tasks.start(use(slots, 0, 10ms));
  const auto second = tasks.start(use(slots, 1, 10ms));
  tasks.start(use(slots, 2, 10ms));
  EXPECT_TRUE(tasks.cancel(second));
  EXPECT_EQ(inside, 1);
  loop->advance(100ms);
  EXPECT_EQ(order, (std::vector<int>{0, 2}));
  EXPECT_EQ(most, 1);
  EXPECT_EQ(slots->held(), 0U);
}

TEST_F(SlotsTest, HandsAPlaceOnThatCameTooLate) {
  const auto slots = std::make_shared<Slots>(1, 10);
  const auto first = tasks.start(use(slots, 0, 1h));
  const auto second = tasks.start(use(slots, 1, 10ms));
  tasks.start(use(slots, 2, 10ms));
  // The place is granted to the second, who is gone before it hears of that.
  EXPECT_TRUE(tasks.cancel(first));
  EXPECT_TRUE(tasks.cancel(second));
  inside = 0;
  loop->advance(100ms);
  EXPECT_EQ(order, (std::vector<int>{0, 2}));
  EXPECT_EQ(slots->held(), 0U);
}

TEST_F(SlotsTest, GivesUpWhatItsHoldersAndWaitersHeldWhenTheyGo) {
  const auto slots = std::make_shared<Slots>(1, 10);
  for (int i = 0; i < 5; ++i) tasks.start(use(slots, i, 1h));
  tasks.clear();
  while (loop->run_ready()) {
  }
  EXPECT_EQ(slots->held(), 0U);
  EXPECT_EQ(slots->waiting(), 0U);
}

}  // namespace
}  // namespace squall::server
