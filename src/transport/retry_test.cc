#include "squall/transport/retry.h"

#include <vector>

#include <gtest/gtest.h>

namespace squall::transport {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_days kToday = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

TEST(HttpDate, IsReadInAllThreeForms) {
  const auto expected = std::chrono::sys_days{std::chrono::year{1994} / 11 / 6} + 8h + 49min + 37s;
  for (const char* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994"}) {
    EXPECT_EQ(parse_http_date(text, kToday), expected) << text;
  }
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-76 08:49:37 GMT", kToday),
            std::chrono::sys_days{std::chrono::year{2076} / 11 / 6} + 8h + 49min + 37s);
}

TEST(HttpDate, IsRefusedWhenItIsNone) {
  for (const char* text :
       {"", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37"}) {
    EXPECT_FALSE(parse_http_date(text, kToday).has_value()) << text;
  }
}

TEST(RetryAfter, IsSecondsOrADate) {
  EXPECT_EQ(parse_retry_after("120", kToday), 120s);
  EXPECT_EQ(parse_retry_after(" 0 ", kToday), 0s);
  EXPECT_EQ(parse_retry_after("Thu, 01 Jan 2026 00:00:09 GMT", kToday + 1500ms), 7500ms);
  EXPECT_EQ(parse_retry_after("Wed, 31 Dec 2025 23:59:59 GMT", kToday), 0s);
}

TEST(RetryAfter, NeverMakesUsWaitLongerThanADay) {
  for (const char* text : {"86401", "4294967295", "99999999999999999999",
                           "Thu, 01 Jan 2099 00:00:00 GMT", "Fri, 31 Dec 9999 00:00:00 GMT"}) {
    EXPECT_EQ(parse_retry_after(text, kToday), 24h) << text;
  }
}

TEST(RetryAfter, IsNothingWhenItCannotBeRead) {
  for (const char* text : {"", " ", "-1", "+1", "1.5", "soon", "1 2"}) {
    EXPECT_FALSE(parse_retry_after(text, kToday).has_value()) << text;
  }
}

TEST(Backoff, DoublesUpToItsLongest) {
  Backoff backoff(500ms, 3s, [] { return 0.0; });
  for (const auto expected : {500ms, 1000ms, 2000ms, 3000ms, 3000ms}) {
    EXPECT_EQ(backoff.next(), expected);
  }
  backoff.reset();
  EXPECT_EQ(backoff.next(), 500ms);
}

TEST(Backoff, ShortensByUpToHalf) {
  std::vector<double> fractions = {0.5, 0.999};
  Backoff backoff(1000ms, 10s, [&fractions] {
    const double next = fractions.front();
    fractions.erase(fractions.begin());
    return next;
  });
  EXPECT_EQ(backoff.next(), 750ms);
  EXPECT_EQ(backoff.next(), 1001ms);
}

TEST(Backoff, WaitsAtLeastAsLongAsTheServerAsks) {
  Backoff backoff(500ms, 3s, [] { return 0.0; });
  EXPECT_EQ(backoff.next(20s), 20s);
  EXPECT_EQ(backoff.next(1ms), 1000ms);
}

TEST(RandomFraction, IsSpreadOverZeroToOne) {
  double least = 1;
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    const double fraction = random_fraction();
    ASSERT_GE(fraction, 0);
    ASSERT_LT(fraction, 1);
    least = std::min(least, fraction);
    most = std::max(most, fraction);
  }
  EXPECT_LT(least, 0.1);
  EXPECT_GT(most, 0.9);
}

}  // namespace
}  // namespace squall::transport
