#include "squall/client/options.h"

#include <memory>

#include <gtest/gtest.h>

#include "cancellable.h"

namespace squall::client {
namespace {

class Waiter final : public Cancellable {
 public:
  void on_cancelled() override {
    ++told;
    victim.reset();
  }
  int told = 0;
  std::unique_ptr<Waiter> victim;
};

TEST(Cancellation, TellsEveryoneOnceAndKeepsTheFirstReason) {
  Cancellation source;
  Waiter a;
  Waiter b;
  a.watch(source);
  b.watch(source);
  source.cancel("enough");
  source.cancel("again");
  EXPECT_EQ(a.told, 1);
  EXPECT_EQ(b.told, 1);
  EXPECT_TRUE(source.cancelled());
  EXPECT_EQ(source.reason(), "enough");
}

TEST(Cancellation, ForgetsThoseThatLeftOrEnded) {
  Cancellation source;
  Waiter left;
  left.watch(source);
  left.leave();
  {
    Waiter ended;
    ended.watch(source);
  }
  source.cancel();
  EXPECT_EQ(left.told, 0);
}

TEST(Cancellation, LetsOneThatIsToldEndAnother) {
  Cancellation source;
  Waiter killer;
  killer.victim = std::make_unique<Waiter>();
  killer.victim->watch(source);
  killer.watch(source);  // told first: the newest is
  source.cancel();
  EXPECT_EQ(killer.told, 1);
  EXPECT_EQ(killer.victim, nullptr);
}

}  // namespace
}  // namespace squall::client
