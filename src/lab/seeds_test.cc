#include "squall/lab/seeds.h"

#include <gtest/gtest.h>

namespace squall::lab {
namespace {

TEST(SeedRange, HasBothItsEnds) {
  EXPECT_EQ(read_seed_range("1..1000").value(), (SeedRange{1, 1000}));
  EXPECT_EQ(read_seed_range("0x10..17").value(), (SeedRange{16, 2}));
  EXPECT_EQ(read_seed_range("18446744073709551615..18446744073709551615").value().last(),
            18446744073709551615U);
  for (const char* wrong : {"", "1", "..", "1..", "..1", "2..1", "1..2..3", "1..1e3", " 1..2"}) {
    EXPECT_FALSE(read_seed_range(wrong)) << wrong;
  }
}

TEST(Shards, ShareEachPieceOnce) {
  for (std::uint64_t of = 1; of < 5; ++of) {
    for (std::uint64_t piece = 0; piece < 9; ++piece) {
      int owners = 0;
      for (std::uint64_t number = 1; number <= of; ++number) {
        owners += Shard{number, of}.has(piece) ? 1 : 0;
      }
      EXPECT_EQ(owners, 1);
    }
  }
  EXPECT_EQ(read_shard("2/3").value(), (Shard{2, 3}));
  EXPECT_FALSE(read_shard("2/3/4"));
}

}  // namespace
}  // namespace squall::lab
