#include "squall/base/assert.h"

#include <gtest/gtest.h>

namespace squall {
namespace {

TEST(Assert, LetsATrueConditionPass) {
  int evaluations = 0;
  SQUALL_ASSERT(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

TEST(AssertDeathTest, StopsTheProcessAndNamesTheCondition) {
  const int attempt = 3;
  EXPECT_DEATH(SQUALL_ASSERT(attempt < 3),
               "assertion failed: attempt < 3 \\(.*assert_test\\.cc:[0-9]+\\)");
}

}  // namespace
}  // namespace squall
