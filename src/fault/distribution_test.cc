#include "squall/fault/distribution.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/fault/draw.h"

namespace squall::fault {
namespace {

constexpr int kSamples = 20'000;

/// Chi-square of `counts` against equally likely classes.
double chi_square(const std::vector<int>& counts) {
  const double expected = static_cast<double>(kSamples) / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// 99.9 % of draws that are what they claim stay below, for 9 and 15 degrees of freedom. The seed
// is fixed, so the test says the same every time.
constexpr double kNineDegrees = 27.88;
constexpr double kFifteenDegrees = 37.70;

/// How often `distribution` falls between the upper bounds of its classes.
std::vector<int> classes(const Distribution& distribution, const std::vector<std::int64_t>& upper) {
  std::vector<int> counts(upper.size() + 1);
  for (int n = 0; n < kSamples; ++n) {
    const std::string site = "[\"call\",\"t\"," + std::to_string(n) + "]";
    const std::int64_t value = Draws{{42}, "r", site}.delay(distribution);
    std::size_t i = 0;
    while (i < upper.size() && value >= upper[i]) ++i;
    ++counts[i];
  }
  return counts;
}

TEST(Draw, IsUniform) {
  std::vector<int> counts(16);
  for (int n = 0; n < kSamples; ++n) {
    const std::string site = "[\"call\",\"t\"," + std::to_string(n) + "]";
    ++counts[draw({42}, "r", site, "fire") >> 60U];
  }
  EXPECT_LT(chi_square(counts), kFifteenDegrees);
}

TEST(Uniform, HitsEveryTenthEqually) {
  std::vector<std::int64_t> tenths;
  for (std::int64_t i = 1; i < 10; ++i) tenths.push_back(i * 100'000);
  EXPECT_LT(chi_square(classes(Uniform{.least = 0, .most = 999'999}, tenths)), kNineDegrees);
}

TEST(Exponential, HasItsDeciles) {
  // -10^6 ln(1 - i/10)
  EXPECT_LT(chi_square(classes(
                Exponential{.mean = 1'000'000, .max = kDrawnMax},
                {105361, 223144, 356675, 510826, 693147, 916291, 1203973, 1609438, 2302585})),
            kNineDegrees);
}

TEST(Pareto, HasItsDeciles) {
  // 10^6 (1 - i/10)^(-1/2)
  EXPECT_LT(chi_square(classes(
                Pareto{.scale = 1'000'000, .alpha = {2, 1}, .max = kDrawnMax},
                {1054093, 1118034, 1195229, 1290994, 1414214, 1581139, 1825742, 2236068, 3162278})),
            kNineDegrees);
}

TEST(Lognormal, HasItsDeciles) {
  // 10^6 exp(z/2) at the deciles of the normal distribution
  EXPECT_LT(chi_square(classes(
                Lognormal{.median = 1'000'000, .sigma = {5, 10}, .max = kDrawnMax},
                {526869, 656547, 769338, 881005, 1000000, 1135068, 1299819, 1523121, 1898008})),
            kNineDegrees);
}

TEST(Sample, NeverExceedsItsMaximum) {
  const std::array<Distribution, 4> all = {
      Uniform{.least = 5, .most = 9}, Exponential{.mean = 800, .max = 900},
      Pareto{.scale = 50, .alpha = {1, 10'000}, .max = 700},
      Lognormal{.median = 300, .sigma = {999'999'999, 1}, .max = 700}};
  for (const Distribution& distribution : all) {
    for (unsigned shift = 0; shift < 64; ++shift) {
      for (const std::uint64_t bits : {std::uint64_t{1} << shift, ~(std::uint64_t{1} << shift),
                                       (std::uint64_t{1} << shift) - 1}) {
        const std::int64_t value = sample(distribution, bits);
        EXPECT_GE(value, 0);
        EXPECT_LE(value, 900);
      }
    }
  }
}

TEST(Decimals, TakesFourDecimalsAtMost) {
  EXPECT_EQ(Decimals::parse("0.6"), (Decimals{6, 10}));
  EXPECT_EQ(Decimals::parse("2"), (Decimals{2, 1}));
  EXPECT_TRUE(Decimals::parse("0", true));
  for (const char* text :
       {"", ".5", "5.", "0.12345", "1e3", "-1", "01", "0", "1,5", "0.0", "1234567890"}) {
    EXPECT_FALSE(Decimals::parse(text)) << text;
  }
}

}  // namespace
}  // namespace squall::fault
