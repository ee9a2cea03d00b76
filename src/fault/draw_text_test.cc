#include <array>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "squall/fault/draw.h"

namespace squall::fault {
namespace {

using testing::HasSubstr;

TEST(Seed, IsReadWholeOrRefusedWithTheReason) {
  EXPECT_EQ(Seed::parse("0x10")->value, 16U);
  EXPECT_EQ(Seed::parse("007")->value, 7U);
  EXPECT_EQ(Seed::parse("18446744073709551615")->value, ~std::uint64_t{0});
  EXPECT_EQ(Seed::parse("9007199254740993")->decimal(), "9007199254740993");
  EXPECT_EQ(Seed{1337}.hex(), "0x539");
  const std::array<std::pair<std::string, std::string>, 9> refused = {
      {{"1337abc", "decimal digits alone"},
       {"12.9", "whole number"},
       {"1e3", "no exponent"},
       {"0,5", "decimal digits alone"},
       {"-1", "no sign"},
       {"1\n", "decimal digits alone"},
       {"18446744073709551616", "above 2^64-1"},
       {"", "empty"},
       {"0X10", "write 0x"}}};
  for (const auto& [text, why] : refused) {
    const auto seed = Seed::parse(text);
    ASSERT_FALSE(seed) << text;
    EXPECT_THAT(seed.error().message, HasSubstr(why)) << text;
  }
}

TEST(Seed, IsNeverQuotedAtLength) {
  EXPECT_LT(Seed::parse(std::string(5000, 'x')).error().message.size(), 200U);
}

TEST(Probability, IsAnExactFraction) {
  EXPECT_EQ(Probability::parse("0.10")->text(), "1/10");
  EXPECT_EQ(Probability::parse("12.5%")->text(), "1/8");
  EXPECT_EQ(Probability::parse("0")->text(), "0/1");
  EXPECT_EQ(Probability::parse("100%")->text(), "1/1");
}

TEST(Probability, RefusesWithTheRightSpelling) {
  const std::array<std::pair<std::string, std::string>, 6> refused = {{{"0,5", "as in 0.5"},
                                                                       {".5", "write 0 before"},
                                                                       {"5e-1", "without exponent"},
                                                                       {"5.", "behind the point"},
                                                                       {"101%", "above 1"},
                                                                       {"0.5abc", "as in 0.1"}}};
  for (const auto& [text, why] : refused) {
    const auto probability = Probability::parse(text);
    ASSERT_FALSE(probability) << text;
    EXPECT_THAT(probability.error().message, HasSubstr(why)) << text;
  }
}

}  // namespace
}  // namespace squall::fault
