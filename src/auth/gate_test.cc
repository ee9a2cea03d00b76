#include "gate.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"

namespace squall::auth {
namespace {

using namespace std::chrono_literals;

Task<void> work(runtime::Loop& loop, Gate& gate, std::string& log, char name) {
  const Gate::Pass pass = co_await gate.enter();
  log += name;
  co_await runtime::sleep(loop, 10ms);
  log += name;
}

TEST(Gate, LetsOneThroughAtATimeInOrder) {
  const auto loop = runtime::SimulatedLoop::make();
  Gate gate(*loop);
  std::string log;
  std::vector<Task<void>> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(work(*loop, gate, log, name));
    tasks.back().start();
  }
  loop->run();
  EXPECT_EQ(log, "aabbcc");
}

TEST(Gate, PassesOverThoseThatAreDestroyedWhereTheyWait) {
  const auto loop = runtime::SimulatedLoop::make();
  Gate gate(*loop);
  std::string log;
  std::vector<Task<void>> tasks;
  for (const char name : {'a', 'b', 'c', 'd'}) {
    tasks.push_back(work(*loop, gate, log, name));
    tasks.back().start();
  }
  tasks[1] = Task<void>();  // waits
  tasks[0] = Task<void>();  // is inside: the gate is handed to the third, who has not gone on yet
  tasks[2] = Task<void>();
  loop->run();
  EXPECT_EQ(log, "add");
}

}  // namespace
}  // namespace squall::auth
