#include "timer_queue.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace squall::runtime {
namespace {

using namespace std::chrono_literals;

TimePoint at(int microseconds) { return TimePoint(std::chrono::microseconds(microseconds)); }

TEST(TimerQueue, AgreesWithASortedMapUnderAddingCancellingAndTaking) {
  TimerQueue queue;
  std::map<std::pair<TimePoint, int>, TimerId> model;
  std::vector<int> taken;
  std::uint32_t state = 12345;
  const auto draw = [&](std::uint32_t limit) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % limit;
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::uint32_t kind = draw(5);
    if (kind < 3) {
      const TimePoint when = at(static_cast<int>(draw(500)));
      model[{when, step}] = queue.add(when, [&taken, step] { taken.push_back(step); });
    } else if (kind == 3 && !model.empty()) {
      auto victim = model.begin();
      std::advance(victim, draw(static_cast<std::uint32_t>(model.size())));
      ASSERT_TRUE(queue.cancel(victim->second));
      ASSERT_FALSE(queue.cancel(victim->second));
      model.erase(victim);
    } else if (!model.empty()) {
      const auto first = model.begin();
      ASSERT_EQ(queue.next(), first->first.first);
      auto task = queue.take_due(first->first.first, queue.order());
      ASSERT_TRUE(task.has_value());
      (*task)();
      ASSERT_EQ(taken.back(), first->first.second);
      model.erase(first);
    }
  }
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.next().has_value());
}

TEST(TimerQueue, LeavesWhatIsNotDueOrTooYoung) {
  TimerQueue queue;
  queue.add(at(10), [] {});
  EXPECT_FALSE(queue.take_due(at(9), queue.order()).has_value());
  EXPECT_FALSE(queue.take_due(at(10), queue.order() - 1).has_value());
  EXPECT_TRUE(queue.take_due(at(10), queue.order()).has_value());
}

TEST(TimerQueue, AnIdIsNeverGoodForALaterTimer) {
  TimerQueue queue;
  const TimerId first = queue.add(at(1), [] {});
  EXPECT_TRUE(queue.cancel(first));
  const TimerId second = queue.add(at(1), [] {});
  EXPECT_NE(first, second);
  EXPECT_FALSE(queue.cancel(first));
  EXPECT_TRUE(queue.cancel(second));
}

}  // namespace
}  // namespace squall::runtime
