#include "squall/base/time_text.h"

#include <gtest/gtest.h>

namespace squall::base {
namespace {

using namespace std::chrono_literals;

TEST(UtcText, IsRfc3339WithMilliseconds) {
  const std::chrono::sys_days day = std::chrono::year{2026} / 2 / 28;
  EXPECT_EQ(utc_text(day), "2026-02-28T00:00:00.000Z");
  EXPECT_EQ(utc_text(day + 23h + 59min + 59s + 999999us), "2026-02-28T23:59:59.999Z");
  EXPECT_EQ(utc_text(std::chrono::sys_seconds{-1s}), "1969-12-31T23:59:59.000Z");
}

}  // namespace
}  // namespace squall::base
