#include "token_bucket.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace squall::server {
namespace {

using namespace std::chrono_literals;

runtime::TimePoint at(runtime::Duration passed) { return runtime::TimePoint(passed); }

TEST(TokenBucket, GivesABurstAndThenOneAtATime) {
  TokenBucket bucket(3, 3s);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.take(at(0s)), 0s);
  EXPECT_EQ(bucket.take(at(0s)), 1s);
  EXPECT_EQ(bucket.take(at(400ms)), 600ms);
  EXPECT_EQ(bucket.take(at(1s)), 0s);
  EXPECT_EQ(bucket.take(at(1s)), 1s);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.take(at(60s)), 0s);
  EXPECT_GT(bucket.take(at(60s)), 0s);
}

TEST(TokenBucket, AdmitsTenOfTwoHundredThatComeAtOnce) {
  TokenBucket bucket(10, 1h);
  std::atomic<int> admitted = 0;
  std::vector<std::thread> callers;
  for (int thread = 0; thread < 4; ++thread) {
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) admitted += bucket.take(at(1s)) == 0s ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(admitted, 10);
}

}  // namespace
}  // namespace squall::server
