#include "squall/runtime/turnstile.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"

namespace squall::runtime {
namespace {

using namespace std::chrono_literals;

Task<void> work(Loop& loop, Turnstile& turnstile, std::string& log, char name) {
  const Turnstile::Pass pass = co_await turnstile.enter();
  log += name;
  co_await sleep(loop, 10ms);
  log += name;
}

TEST(Turnstile, LetsOneThroughAtATimeInOrder) {
  const auto loop = SimulatedLoop::make();
  Turnstile turnstile(*loop);
  std::string log;
  std::vector<Task<void>> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(work(*loop, turnstile, log, name));
    tasks.back().start();
  }
  loop->run();
  EXPECT_EQ(log, "aabbcc");
}

TEST(Turnstile, PassesOverThoseThatAreDestroyedWhereTheyWait) {
  const auto loop = SimulatedLoop::make();
  Turnstile turnstile(*loop);
  std::string log;
  std::vector<Task<void>> tasks;
  for (const char name : {'a', 'b', 'c', 'd'}) {
    tasks.push_back(work(*loop, turnstile, log, name));
    tasks.back().start();
  }
  tasks[1] = Task<void>();  // waits
  tasks[0] =
      Task<void>();  // is inside: the turnstile is handed to the third, who has not gone on yet
  tasks[2] = Task<void>();
  loop->run();
  EXPECT_EQ(log, "add");
}

}  // namespace
}  // namespace squall::runtime
