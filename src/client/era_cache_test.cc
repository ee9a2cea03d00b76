#include "squall/client/era_cache.h"

#include <gtest/gtest.h>

namespace squall::client {
namespace {

TEST(EraCache, RemembersWhatItWasToldLast) {
  EraCache cache;
  EXPECT_FALSE(cache.is_modern("http://a:1").has_value());
  cache.remember("http://a:1", true);
  cache.remember("http://b:1", false);
  EXPECT_EQ(cache.is_modern("http://a:1"), true);
  EXPECT_EQ(cache.is_modern("http://b:1"), false);
  cache.remember("http://a:1", false);
  EXPECT_EQ(cache.is_modern("http://a:1"), false);
  cache.forget("http://a:1");
  EXPECT_FALSE(cache.is_modern("http://a:1").has_value());
}

TEST(EraCache, DoesNotGrowWithoutBound) {
  EraCache cache;
  for (int i = 0; i < 5'000; ++i) cache.remember(std::to_string(i), true);
  int held = 0;
  for (int i = 0; i < 5'000; ++i) held += cache.is_modern(std::to_string(i)) ? 1 : 0;
  EXPECT_LE(held, 1'024);
  EXPECT_EQ(cache.is_modern("4999"), true);
}

}  // namespace
}  // namespace squall::client
