#include "chunk_queue.h"

#include <gtest/gtest.h>

namespace squall::runtime {
namespace {

TEST(ChunkQueue, GivesBackWhatWasAppendedInWhateverSteps) {
  ChunkQueue queue;
  std::string all;
  std::string got;
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::string piece(i * 37 % 3000, static_cast<char>('a' + i % 26));
    queue.append(piece);
    all += piece;
    const std::size_t step = std::min(queue.front().size(), i * 53 % 2500);
    got += queue.front().substr(0, step);
    queue.consume(step);
    ASSERT_EQ(queue.size(), all.size() - got.size());
  }
  while (!queue.empty()) {
    got += queue.front();
    queue.consume(queue.front().size());
  }
  EXPECT_TRUE(got == all);
  EXPECT_EQ(queue.front(), "");
}

TEST(ChunkQueue, GathersPiecesFromWhereItStands) {
  ChunkQueue queue;
  queue.append(std::string(20'000, 'a'));
  queue.append(std::string(20'000, 'b'));
  queue.append("c");
  queue.consume(19'999);
  iovec pieces[8];
  ASSERT_EQ(queue.gather(pieces, 8), 3);
  EXPECT_EQ(pieces[0].iov_len, 1U);
  EXPECT_EQ(pieces[1].iov_len, 20'000U);
  EXPECT_EQ(pieces[2].iov_len, 1U);
  EXPECT_EQ(queue.gather(pieces, 1), 1);
  queue.consume(20'001);
  EXPECT_EQ(queue.front(), "c");
}

TEST(ChunkQueue, ConsumingAcrossManyPiecesIsLinear) {
  ChunkQueue queue;
  constexpr std::size_t kPieces = 20'000;
  for (std::size_t i = 0; i < kPieces; ++i) queue.append(std::string(16 << 10, 'x'));
  for (std::size_t i = 0; i < kPieces; ++i) queue.consume(16 << 10);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace squall::runtime
