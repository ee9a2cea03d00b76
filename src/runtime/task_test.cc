#include "squall/runtime/task.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "squall/runtime/one_shot.h"
#include "squall/runtime/sleep.h"
#include "squall/runtime/task_set.h"

#include "test_support.h"

namespace squall::runtime::test {
namespace {

/// Counts itself: what a coroutine's frame owns.
class Counted {
 public:
  explicit Counted(int& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  int& count_;
};

Task<int> answer(int value) { co_return value; }
Task<std::unique_ptr<int>> boxed(int value) { co_return std::make_unique<int>(value); }
Task<int> throwing() {
  throw std::runtime_error("from inside");
  co_return 0;
}

Task<long> sum_of(int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await answer(1);
  co_return sum;
}

Task<int> descend(int depth) {
  if (depth == 0) co_return 0;
  const int below = co_await descend(depth - 1);
  co_return below + 1;
}

TEST(Task, DoesNothingUntilItIsStarted) {
  bool ran = false;
  const auto make = [](bool* flag) -> Task<void> {
    *flag = true;
    co_return;
  };
  const Task<void> task = make(&ran);
  EXPECT_FALSE(ran);
  EXPECT_FALSE(task.done());
  task.start();
  EXPECT_TRUE(ran);
  EXPECT_TRUE(task.done());
}

TEST(Task, HandsOutMoveOnlyResults) {
  const auto make = []() -> Task<int> {
    const std::unique_ptr<int> box = co_await boxed(7);
    co_return *box;
  };
  Task<int> task = make();
  task.start();
  EXPECT_EQ(task.take(), 7);
}

TEST(Task, ThrowsWhereItIsAwaited) {
  const auto make = []() -> Task<std::string> {
    std::string caught;
    try {
      co_await throwing();
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    co_return caught;
  };
  Task<std::string> task = make();
  task.start();
  EXPECT_EQ(task.take(), "from inside");
  Task<int> thrower = throwing();
  thrower.start();
  EXPECT_THROW(thrower.take(), std::runtime_error);
}

TEST(Task, MovesLeaveAnEmptyOneBehind) {
  Task<int> first = answer(1);
  Task<int> second = std::move(first);
  EXPECT_FALSE(first.valid());
  EXPECT_TRUE(second.valid());
  second = answer(2);
  second.start();
  EXPECT_EQ(second.take(), 2);
}

TEST(Task, AwaitsAMillionTasksInARowOnOneStackFrame) {
  Task<long> task = sum_of(1'000'000);
  task.start();
  EXPECT_EQ(task.take(), 1'000'000);
}

TEST(Task, AwaitsAThousandLevelsDown) {
  Task<int> task = descend(1'000);
  task.start();
  EXPECT_EQ(task.take(), 1'000);
}

class Coroutines : public OnBothLoops {};

TEST_P(Coroutines, SleepTakesItsTimeByWayOfTheLoop) {
  const auto make = [](Loop& loop, int& step) -> Task<void> {
    step = 1;
    co_await sleep(loop, 2ms);
    step = 2;
    co_await sleep(loop, 0ms);
    step = 3;
  };
  int step = 0;
  const TimePoint start = loop_.now();
  const Task<void> task = make(loop_, step);
  task.start();
  EXPECT_EQ(step, 1);
  loop_.run();
  EXPECT_EQ(step, 3);
  EXPECT_GE(loop_.now() - start, 2ms);
}

TEST_P(Coroutines, DestroyingASleeperCancelsItsTimer) {
  const auto sleeper = [](Loop& loop, int& alive) -> Task<void> {
    const Counted inner(alive);
    co_await sleep(loop, 1h);
  };
  const auto outer = [&sleeper](Loop& loop, int& alive) -> Task<void> {
    const Counted here(alive);
    co_await sleeper(loop, alive);
  };
  int alive = 0;
  {
    const Task<void> task = outer(loop_, alive);
    task.start();
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
  loop_.run();  // returns: no timer is left
}

TEST_P(Coroutines, OneShotResumesItsWaiterFromTheLoop) {
  const auto make = [](OneShot<std::string>& shot, std::string& got) -> Task<void> {
    got = co_await shot;
  };
  OneShot<std::string> shot(loop_);
  std::string got;
  const Task<void> task = make(shot, got);
  task.start();
  EXPECT_TRUE(shot.set("value"));
  EXPECT_FALSE(shot.set("too late"));
  EXPECT_EQ(got, "");
  loop_.run();
  EXPECT_EQ(got, "value");
}

TEST_P(Coroutines, OneShotSetBeforeIsReadyAtOnce) {
  const auto make = [](OneShot<>& shot, bool& passed) -> Task<void> {
    co_await shot;
    passed = true;
  };
  OneShot<> shot(loop_);
  shot.set();
  bool passed = false;
  const Task<void> task = make(shot, passed);
  task.start();
  EXPECT_TRUE(passed);
}

TEST_P(Coroutines, OneShotForgetsAWaiterThatIsDestroyed) {
  const auto make = [](OneShot<>& shot, int& alive) -> Task<void> {
    const Counted here(alive);
    co_await shot;
    ADD_FAILURE();
  };
  int alive = 0;
  OneShot<> before(loop_);
  OneShot<> between(loop_);
  {
    const Task<void> first = make(before, alive);
    const Task<void> second = make(between, alive);
    first.start();
    second.start();
    between.set();  // destroyed between set and resumption
  }
  before.set();
  EXPECT_EQ(alive, 0);
  loop_.run();
  auto gone = std::make_unique<OneShot<>>(loop_);
  const Task<void> orphan = make(*gone, alive);
  orphan.start();
  gone.reset();
  EXPECT_EQ(alive, 1);
}

TEST_P(Coroutines, TaskSetDestroysEachWhenItIsDone) {
  const auto make = [](Loop& loop, Duration delay, int& alive) -> Task<void> {
    const Counted here(alive);
    if (delay > 0ns) co_await sleep(loop, delay);
  };
  int alive = 0;
  TaskSet set(loop_);
  set.start(make(loop_, 0ms, alive));
  EXPECT_EQ(set.size(), 0U);
  set.start(make(loop_, 1ms, alive));
  set.start(make(loop_, 2ms, alive));
  const TaskSet::Id third = set.start(make(loop_, 1h, alive));
  EXPECT_EQ(alive, 3);
  EXPECT_TRUE(set.cancel(third));
  EXPECT_FALSE(set.cancel(third));
  EXPECT_EQ(alive, 2);
  loop_.run();
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(set.size(), 0U);
}

TEST_P(Coroutines, DestroyingATaskSetDestroysWhatIsSuspended) {
  const auto make = [](Loop& loop, int& alive) -> Task<void> {
    const Counted here(alive);
    co_await sleep(loop, 1h);
  };
  int alive = 0;
  {
    TaskSet set(loop_);
    for (int i = 0; i < 10; ++i) set.start(make(loop_, alive));
    EXPECT_EQ(alive, 10);
  }
  EXPECT_EQ(alive, 0);
  loop_.run();
}

TEST_P(Coroutines, TaskSetHandsExceptionsOn) {
  const auto make = [](Loop& loop) -> Task<void> {
    co_await sleep(loop, 1ms);
    co_await throwing();
  };
  int caught = 0;
  TaskSet set(loop_, [&](std::exception_ptr exception) {
    EXPECT_THROW(std::rethrow_exception(exception), std::runtime_error);
    ++caught;
  });
  set.start(make(loop_));
  loop_.run();
  EXPECT_EQ(caught, 1);
  EXPECT_EQ(set.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Loops, Coroutines, testing::Values(Kind::system, Kind::simulated),
                         kind_name);

}  // namespace
}  // namespace squall::runtime::test
