#include "squall/json/number.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace squall::json {
namespace {

TEST(Decimal, TakesANumberApartWithoutLoss) {
  const Decimal d = Decimal::parse("-120.0340e+05");
  EXPECT_TRUE(d.negative);
  EXPECT_EQ(d.digits_before, "120");
  EXPECT_EQ(d.digits_after, "034");
  EXPECT_EQ(d.exponent, 2);
  EXPECT_TRUE(d.is_integer());
}

TEST(Decimal, StripsZerosOnBothSides) {
  const Decimal small = Decimal::parse("0.00120");
  EXPECT_EQ(small.digits_before, "");
  EXPECT_EQ(small.digits_after, "12");
  EXPECT_EQ(small.exponent, -4);
  EXPECT_FALSE(small.is_integer());
  const Decimal big = Decimal::parse("1200.00e1");
  EXPECT_EQ(big.digits_before, "12");
  EXPECT_EQ(big.digits_after, "");
  EXPECT_EQ(big.exponent, 3);
}

TEST(Decimal, ZeroHasNoDigitsWhateverItsExponent) {
  for (const char* zero : {"0", "-0", "0.000", "0e5", "0.00e-99999999999999999999"}) {
    const Decimal d = Decimal::parse(zero);
    EXPECT_TRUE(d.is_zero()) << zero;
    EXPECT_EQ(d.exponent, 0) << zero;
    EXPECT_FALSE(d.exponent_overflow) << zero;
  }
}

TEST(Decimal, TellsAnExponentBeyondEighteenDigits) {
  EXPECT_FALSE(Decimal::parse("1e999999999999999999").exponent_overflow);
  EXPECT_FALSE(Decimal::parse("1e000000000000000000000000001").exponent_overflow);
  EXPECT_TRUE(Decimal::parse("1e1000000000000000000").exponent_overflow);
  EXPECT_TRUE(Decimal::parse("10e999999999999999999").exponent_overflow);
  EXPECT_TRUE(Decimal::parse("0.1e-999999999999999999").exponent_overflow);
  EXPECT_TRUE(Decimal::parse("1e-99999999999999999999").exponent_overflow);
}

TEST(CompareNumbers, OrdersByExactValue) {
  const char* ascending[] = {"-1e99999999999999999999",
                             "-1e1000000000",
                             "-10",
                             "-9.5",
                             "-1e-7",
                             "0",
                             "1e-99999999999999999999",
                             "1e-1000000000",
                             "0.5",
                             "0.50000001",
                             "1",
                             "1.25",
                             "9007199254740992",
                             "9007199254740993",
                             "1e400",
                             "1.5e1000000000",
                             "1e999999999999999999",
                             "1e1000000000000000000",
                             "1e99999999999999999998",
                             "1e99999999999999999999"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_TRUE(compare_numbers(ascending[i], ascending[j]) == (i <=> j))
          << ascending[i] << " and " << ascending[j];
    }
  }
}

TEST(CompareNumbers, FindsTheManyWaysToWriteOneValueEqual) {
  const std::pair<const char*, const char*> same[] = {
      {"1", "1.000"},
      {"1e3", "1000"},
      {"0.001", "1E-3"},
      {"-0", "0.0"},
      {"12.5e1", "125"},
      {"10e99999999999999999999", "1e100000000000000000000"},
      {"0.1e-99999999999999999999", "1e-100000000000000000000"},
      {"1e1000000000000000000", "10e999999999999999999"}};
  for (const auto& [a, b] : same) EXPECT_TRUE(compare_numbers(a, b) == 0) << a << " and " << b;
}

TEST(CompareNumbers, AgreesWithIntegersScaledAnyWay) {
  EXPECT_TRUE(rc::check([](std::int32_t a, std::int32_t b) {
    const unsigned places = *rc::gen::inRange(0U, 30U);
    const auto scaled = [places](std::int32_t value) {
      return std::to_string(value) + std::string(places, '0') + "e-" + std::to_string(places);
    };
    const std::string x = a == 0 ? "0" : scaled(a);
    RC_ASSERT(compare_numbers(x, std::to_string(b)) == (a <=> b));
  }));
}

TEST(IsMultipleOf, DecidesExactly) {
  EXPECT_EQ(is_multiple_of("1.1", "0.1"), true);
  EXPECT_EQ(is_multiple_of("0.3", "0.1"), true);
  EXPECT_EQ(is_multiple_of("0.35", "0.1"), false);
  EXPECT_EQ(is_multiple_of("-12", "4"), true);
  EXPECT_EQ(is_multiple_of("7", "2"), false);
  EXPECT_EQ(is_multiple_of("0", "123.456"), true);
  EXPECT_EQ(is_multiple_of("1e308", "0.5"), true);
  EXPECT_EQ(is_multiple_of("1e308", "0.123456789"), false);
  EXPECT_EQ(is_multiple_of("9007199254740993", "2"), false);
  EXPECT_EQ(is_multiple_of("0.0075", "0.0001"), true);
  EXPECT_EQ(is_multiple_of("0.00751", "0.0001"), false);
  EXPECT_EQ(is_multiple_of("4.5", "1.5"), true);
  EXPECT_EQ(is_multiple_of("1", "1e5"), false);
  EXPECT_EQ(is_multiple_of("1e5", "1e5"), true);
}

TEST(IsMultipleOf, IsInstantForHugeExponents) {
  EXPECT_EQ(is_multiple_of("1e1000000000", "7"), false);
  EXPECT_EQ(is_multiple_of("1e1000000000", "1024"), true);
  EXPECT_EQ(is_multiple_of("21e99999999999999999999", "3"), true);
  EXPECT_EQ(is_multiple_of("1", "1e1000000000"), false);
  EXPECT_EQ(is_multiple_of("6e99999999999999999999", "3e99999999999999999999"), true);
  EXPECT_EQ(is_multiple_of("1e99999999999999999999", "1e99999999999999999998"), true);
  EXPECT_EQ(is_multiple_of("1e99999999999999999998", "1e99999999999999999999"), false);
}

TEST(IsMultipleOf, GivesUpBeyondTheWorkAllowed) {
  const std::string long_value(5000, '7');
  EXPECT_EQ(is_multiple_of(long_value, "3"), std::nullopt);
  EXPECT_EQ(is_multiple_of(long_value, "3", 10'000), false);  // the digits add up to 35,000
  EXPECT_EQ(is_multiple_of(long_value, "7", 10'000), true);
  EXPECT_EQ(is_multiple_of("7", long_value), std::nullopt);
  EXPECT_EQ(is_multiple_of(long_value, "0.01"), true);  // a power of ten needs no work
}

TEST(IsMultipleOf, AgreesWithProductsOfBigNumbers) {
  // 10^40 - 1 = 9 * 1111..., a divisor beyond 18 digits.
  const std::string ones(40, '1');
  EXPECT_EQ(is_multiple_of(std::string(40, '9'), ones), true);
  EXPECT_EQ(is_multiple_of(std::string(80, '1'), ones), true);
  EXPECT_EQ(is_multiple_of(std::string(79, '1'), ones), false);
  EXPECT_EQ(is_multiple_of(std::string(40, '9') + "e3", ones), true);
  // 2^128 and 2^64 (a top limb that is 1, so the quotient is estimated too high).
  EXPECT_EQ(is_multiple_of("340282366920938463463374607431768211456", "18446744073709551616"),
            true);
  EXPECT_EQ(is_multiple_of("340282366920938463463374607431768211455", "18446744073709551616"),
            false);
  EXPECT_EQ(is_multiple_of("340282366920938463463374607431768211455", "18446744073709551615"),
            true);
  EXPECT_EQ(is_multiple_of("340282366920938463463374607431768211455", "18446744073709551617"),
            true);
}

__extension__ using Wide = unsigned __int128;

std::string to_text(Wide value) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return text;
}

TEST(IsMultipleOf, AgreesWithMachineArithmetic) {
  EXPECT_TRUE(rc::check([](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const Wide divisor = (Wide{a} << *rc::gen::inRange(0, 40)) + 1;
    const Wide factor = b >> *rc::gen::inRange(0, 63);
    const Wide limit = ~Wide{0} / divisor;
    const Wide product = divisor * std::min(factor, limit);
    RC_ASSERT(is_multiple_of(to_text(product), to_text(divisor)) == true);
    const Wide other = product ^ c;
    RC_ASSERT(is_multiple_of(to_text(other), to_text(divisor)) == (other % divisor == 0));
  }));
}

}  // namespace
}  // namespace squall::json
