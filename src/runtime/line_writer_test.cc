#include "squall/runtime/line_writer.h"

#include <array>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace squall::runtime {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Pipe() {
    if (ends[0] >= 0) ::close(ends[0]);
    ::close(ends[1]);
  }
  /// Reads until `size` bytes are there.
  std::string read(std::size_t size) const {
    std::string out(size, '\0');
    std::size_t have = 0;
    while (have < size) {
      const ssize_t got = ::read(ends[0], out.data() + have, size - have);
      if (got <= 0) break;
      have += static_cast<std::size_t>(got);
    }
    return out;
  }
  std::array<int, 2> ends{};
};

TEST(LineWriter, WritesWholeLines) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1]);
  writer.write("one");
  writer.write("");
  writer.write("two");
  EXPECT_EQ(pipe.read(9), "one\n\ntwo\n");
  EXPECT_EQ(writer.take_lost(), 0U);
}

TEST(LineWriter, CutsALineThatIsTooLong) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1]);
  writer.write(std::string(10'000, 'x'));
  EXPECT_EQ(pipe.read(LineWriter::kLineBytesMax),
            std::string(LineWriter::kLineBytesMax - 1, 'x') + "\n");
}

TEST(LineWriter, LosesLinesRatherThanWaitForAReader) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1]);
  const std::string line(1000, 'x');
  for (int i = 0; i < 1000; ++i) writer.write(line);  // a pipe holds 64 KiB, commonly
  EXPECT_GT(writer.take_lost(), 0U);
  EXPECT_EQ(writer.take_lost(), 0U);
}

TEST(LineWriter, SurvivesAReaderThatHasGone) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  ::close(std::exchange(pipe.ends[0], -1));
  LineWriter writer(pipe.ends[1]);
  writer.write("to nobody");
  EXPECT_EQ(writer.take_lost(), 1U);
}

TEST(LineWriter, KeepsLinesOfSeveralThreadsApart) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1]);
  std::vector<std::thread> threads;
  for (char letter = 'a'; letter < 'e'; ++letter) {
    threads.emplace_back([&writer, letter] {
      for (int i = 0; i < 100; ++i) writer.write(std::string(99, letter));
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(writer.take_lost(), 0U);  // 40,000 bytes fit into a pipe
  const std::string all = pipe.read(40'000);
  for (std::size_t at = 0; at < all.size(); at += 100) {
    EXPECT_EQ(all.substr(at, 100), std::string(99, all[at]) + "\n");
  }
}

}  // namespace
}  // namespace squall::runtime
