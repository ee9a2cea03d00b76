#include "squall/base/units.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace squall::base {
namespace {

using namespace std::chrono_literals;

TEST(ParseDuration, ReadsEachUnit) {
  EXPECT_EQ(parse_duration("0ms"), 0ns);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("6s"), 6s);
  EXPECT_EQ(parse_duration("2m"), 2min);
}

TEST(ParseDuration, ReadsFractionsExactly) {
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("0.1s"), 100ms);
  EXPECT_EQ(parse_duration("0.000001ms"), 1ns);
  EXPECT_EQ(parse_duration("0.000000001m"), 60ns);
  EXPECT_EQ(parse_duration("0.999999999m"), 59999999940ns);
}

TEST(ParseDuration, GoesUpToTheLargestNumberAndNoFurther) {
  EXPECT_EQ(parse_duration("9223372036854.775807ms"), std::chrono::nanoseconds::max());
  for (const char* text : {"9223372036854.775808ms", "9223372036855ms", "153722867281m",
                           "18446744073709551616ms", "99999999999999999999999999999999s"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_NE(parsed.error().message.find("is too large"), std::string::npos);
  }
}

TEST(ParseDuration, RefusesWhatIsFinerThanANanosecond) {
  EXPECT_EQ(parse_duration("0.0000001ms").error().message, "'0.0000001ms' is too fine");
  EXPECT_EQ(parse_duration("1.0000000ms"), 1ms);  // the digits are zero, so it is whole
}

TEST(ParseDuration, RefusesEveryOtherForm) {
  for (const char* text :
       {"",   "5",  "0",   "ms",  "05s", "00ms",   "+1s",  "-1s",  "1 s",  " 1s",           "1s ",
        "1S", "1h", "1us", "1.s", ".5s", "1.2.3s", "1,5s", "1e3s", "0x1s", "1.0000000000s", "1m30s",
        "1kb"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
  EXPECT_FALSE(parse_duration(std::string_view("1s\0", 3)).has_value());
}

TEST(ParseDuration, ShowsNoMoreOfBadTextThanHelps) {
  const std::string message = parse_duration(std::string(5000, '\x1b')).error().message;
  EXPECT_LT(message.size(), 150U);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST(ParseSize, ReadsEachUnit) {
  EXPECT_EQ(parse_size("512b"), 512U);
  EXPECT_EQ(parse_size("64kb"), 64'000U);
  EXPECT_EQ(parse_size("4mb"), 4'000'000U);
  EXPECT_EQ(parse_size("64kib"), 65'536U);
  EXPECT_EQ(parse_size("4mib"), 4'194'304U);
}

TEST(ParseSize, TakesWholeBytesAlone) {
  EXPECT_EQ(parse_size("0.5kib"), 512U);
  EXPECT_EQ(parse_size("0.001kb"), 1U);
  EXPECT_FALSE(parse_size("0.5b").has_value());
  EXPECT_FALSE(parse_size("0.001kib").has_value());
}

TEST(ParseSize, RefusesEveryOtherForm) {
  for (const char* text : {"", "1", "1KB", "1k", "1gb", "1 mb", "1ms", "01b", "-1b"}) {
    EXPECT_FALSE(parse_size(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace squall::base
