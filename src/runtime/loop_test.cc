#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "test_support.h"

namespace squall::runtime::test {
namespace {

class LoopTest : public OnBothLoops {};

TEST_P(LoopTest, RunReturnsWhenNothingCanHappen) {
  loop_.run();
  int ran = 0;
  loop_.post([&] { ++ran; });
  loop_.call_after(1ms, [&] { ++ran; });
  loop_.run();
  EXPECT_EQ(ran, 2);
}

TEST_P(LoopTest, RunsPostsInOrderAndNeverInside) {
  std::vector<int> order;
  loop_.post([&] {
    loop_.post([&] { order.push_back(3); });
    order.push_back(1);
  });
  loop_.post([&] { order.push_back(2); });
  EXPECT_TRUE(order.empty());
  loop_.run();
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST_P(LoopTest, RunsTimersByTimeThenByMaking) {
  std::vector<int> order;
  loop_.call_after(3ms, [&] { order.push_back(4); });
  loop_.call_after(1ms, [&] { order.push_back(2); });
  loop_.call_after(0ms, [&] { order.push_back(0); });
  loop_.call_after(-5ms, [&] { order.push_back(1); });
  loop_.call_after(2ms, [&] { order.push_back(3); });
  loop_.run();
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

TEST_P(LoopTest, TenThousandTimersFireInOrderAndOnTime) {
  constexpr int kTimers = 10'000;
  std::vector<TimePoint> due;
  std::vector<TimerId> ids;
  int fired = 0;
  bool ordered = true;
  TimePoint last;
  for (int i = 0; i < kTimers; ++i) {
    const Duration delay = std::chrono::microseconds(i * 7919LL % 50'000);
    const TimePoint when = loop_.now() + delay;
    ids.push_back(loop_.call_after(delay, [&, when] {
      ++fired;
      ordered = ordered && loop_.now() >= when && when + 1us >= last;
      last = std::max(last, when);
    }));
  }
  for (int i = 0; i < kTimers; i += 2) {
    EXPECT_TRUE(loop_.cancel(ids[static_cast<std::size_t>(i)]));
  }
  loop_.run();
  EXPECT_EQ(fired, kTimers / 2);
  EXPECT_TRUE(ordered || GetParam() == Kind::system);
}

TEST_P(LoopTest, CancelForgetsOnceAndOnlyWhatIsToCome) {
  bool ran = false;
  const TimerId timer = loop_.call_after(1ms, [&] { ran = true; });
  EXPECT_TRUE(loop_.cancel(timer));
  EXPECT_FALSE(loop_.cancel(timer));
  EXPECT_FALSE(loop_.cancel(TimerId::none));
  TimerId own = TimerId::none;
  bool cancelled_itself = true;
  own = loop_.call_after(1ms, [&] { cancelled_itself = loop_.cancel(own); });
  loop_.run();
  EXPECT_FALSE(ran);
  EXPECT_FALSE(cancelled_itself);
}

TEST_P(LoopTest, ATimerMayCancelAnotherThatIsDue) {
  bool ran = false;
  TimerId second = TimerId::none;
  loop_.call_after(0ms, [&] { EXPECT_TRUE(loop_.cancel(second)); });
  second = loop_.call_after(0ms, [&] { ran = true; });
  loop_.run();
  EXPECT_FALSE(ran);
}

TEST_P(LoopTest, CancelDestroysTheTaskWhichMayComeBack) {
  struct Comeback {
    Loop* loop;
    int* made;
    Comeback(Loop* on, int* count) : loop(on), made(count) {}
    Comeback(Comeback&& other) noexcept
        : loop(std::exchange(other.loop, nullptr)), made(other.made) {}
    ~Comeback() {
      if (loop != nullptr) loop->call_after(0ms, [count = made] { ++*count; });
    }
  };
  int made = 0;
  const TimerId timer = loop_.call_after(1h, [comeback = Comeback(&loop_, &made)] {});
  EXPECT_TRUE(loop_.cancel(timer));
  loop_.run();
  EXPECT_EQ(made, 1);
  // And the same while the loop is destroyed.
  loop_.call_after(1h, [comeback = Comeback(&loop_, &made)] {});
  owner_.reset();
  EXPECT_EQ(made, 1);
}

TEST_P(LoopTest, StopLeavesTheRestForTheNextRun) {
  bool later = false;
  loop_.call_after(1ms, [&] { loop_.stop(); });
  loop_.call_after(5ms, [&] { later = true; });
  loop_.run();
  EXPECT_FALSE(later);
  loop_.run();
  EXPECT_TRUE(later);
}

TEST_P(LoopTest, ConnectToNobodyIsRefusedWithTheEndpointInTheMessage) {
  std::uint16_t port = 0;
  {
    auto listener = loop_.listen({}, [](auto) {});
    ASSERT_TRUE(listener.has_value());
    port = (*listener)->port();
  }
  std::optional<Error> error;
  loop_.connect("127.0.0.1", port, 5s, [&](auto result) { error = result.error(); });
  EXPECT_FALSE(error.has_value());
  loop_.run();
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind, ErrorKind::unavailable);
  EXPECT_EQ(error->message,
            "cannot connect to 127.0.0.1:" + std::to_string(port) + ": connection refused");
}

TEST_P(LoopTest, APortInUseIsNamed) {
  auto first = loop_.listen({}, [](auto) {});
  ASSERT_TRUE(first.has_value());
  ListenOptions same;
  same.port = (*first)->port();
  const auto second = loop_.listen(same, [](auto) {});
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().message,
            "cannot listen on 127.0.0.1:" + std::to_string(same.port) + ": address already in use");
}

TEST_P(LoopTest, APausedListenerAcceptsAfterResume) {
  std::vector<std::unique_ptr<ByteStream>> accepted;
  auto listener = loop_.listen({}, [&](auto stream) { accepted.push_back(std::move(stream)); });
  ASSERT_TRUE(listener.has_value());
  (*listener)->pause();
  std::unique_ptr<ByteStream> client;
  loop_.connect("localhost", (*listener)->port(), 5s,
                [&](auto result) { client = std::move(result).value(); });
  EXPECT_TRUE(run_until([&] { return client != nullptr; }));
  settle();
  EXPECT_TRUE(accepted.empty());
  (*listener)->resume();
  EXPECT_TRUE(run_until([&] { return accepted.size() == 1; }));
}

TEST_P(LoopTest, AListenerMayBeDestroyedByItsOwnHandler) {
  std::unique_ptr<Listener> listener;
  std::unique_ptr<ByteStream> server;
  std::string after;
  auto made = loop_.listen({}, [&, text = std::string(100, 't')](auto stream) {
    server = std::move(stream);
    listener.reset();
    after = text;
  });
  ASSERT_TRUE(made.has_value());
  listener = *std::move(made);
  std::unique_ptr<ByteStream> client;
  loop_.connect("127.0.0.1", listener->port(), 5s,
                [&](auto result) { client = std::move(result).value(); });
  loop_.run();  // returns: nothing listens any more
  EXPECT_NE(client, nullptr);
  EXPECT_NE(server, nullptr);
  EXPECT_EQ(after.size(), 100U);
}

INSTANTIATE_TEST_SUITE_P(Loops, LoopTest, testing::Values(Kind::system, Kind::simulated),
                         kind_name);

TEST(SimulatedLoop, JumpsOverTimeAndKeepsTheCalendarInStep) {
  const auto loop = SimulatedLoop::make();
  const auto wall = loop->wall_time();
  EXPECT_EQ(wall, std::chrono::sys_days{std::chrono::year{2026} / 1 / 1});
  const TimePoint start = loop->now();
  bool ran = false;
  loop->call_after(1000h, [&] { ran = true; });
  EXPECT_FALSE(loop->run_ready());
  loop->advance(999h);
  EXPECT_FALSE(ran);
  EXPECT_EQ(loop->now() - start, 999h);
  loop->run();
  EXPECT_TRUE(ran);
  EXPECT_EQ(loop->now() - start, 1000h);
  EXPECT_EQ(loop->wall_time() - wall, 1000h);
}

TEST(SimulatedLoop, AFullBacklogTimesOutInVirtualTime) {
  const auto loop = SimulatedLoop::make();
  ListenOptions options;
  options.backlog = 1;
  auto listener = loop->listen(options, [](auto) {});
  (*listener)->pause();
  std::unique_ptr<ByteStream> first;
  std::optional<Error> error;
  loop->connect("h", (*listener)->port(), 1s, [&](auto r) { first = std::move(r).value(); });
  loop->connect("h", (*listener)->port(), 30s, [&](auto r) { error = r.error(); });
  const TimePoint start = loop->now();
  loop->run();
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->kind, ErrorKind::timeout);
  EXPECT_EQ(loop->now() - start, 30s);
}

}  // namespace
}  // namespace squall::runtime::test
