#include "squall/runtime/line_writer.h"

#include <array>
#include <csignal>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
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
  /// What is there now.
  std::string rest() const {
    std::string out;
    std::array<char, 4096> bytes;
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    for (ssize_t got = 0; (got = ::read(ends[0], bytes.data(), bytes.size())) > 0;) {
      out.append(bytes.data(), static_cast<std::size_t>(got));
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
  EXPECT_EQ(writer.lost(), 0U);
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
  EXPECT_GT(writer.lost(), 0U);
}

std::string lost_line(std::uint64_t lost) { return "lost " + std::to_string(lost); }

/// What `text` tells as lost, and the other lines that it has.
std::pair<std::uint64_t, std::uint64_t> told_and_written(const std::string& text) {
  std::istringstream lines(text);
  std::pair<std::uint64_t, std::uint64_t> counts;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("lost ")) {
      counts.first += std::stoull(line.substr(5));
    } else {
      ++counts.second;
    }
  }
  return counts;
}

TEST(LineWriter, TellsOfEveryLostLineOnce) {
  constexpr std::uint64_t kLines = 5'000;
  const Pipe pipe;
  std::string text;
  {
    LineWriter writer(pipe.ends[1], lost_line);
    const std::string line(200, 'x');
    for (std::uint64_t i = 0; i < kLines; ++i) {
      writer.write(line);
      // A reader that comes by seldom, for less than is there, and stops for good near the end.
      if (i % 700 == 699 && i < 4'500) text += pipe.read(9'000);
    }
    EXPECT_GT(writer.lost(), 0U);
    text += pipe.read(9'000);
  }
  text += pipe.rest();
  const auto [told, written] = told_and_written(text);
  EXPECT_GT(told, 1'000U);
  EXPECT_EQ(told + written, kLines);
}

TEST(LineWriter, TellsAGapWhereItIs) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1], lost_line);
  std::size_t before = 0;
  for (const std::string line(999, 'x'); writer.lost() == 0; ++before) writer.write(line);
  for (int i = 1; i < 50; ++i) writer.write("lost");
  pipe.read((before - 1) * 1000);
  writer.write("after");
  EXPECT_EQ(pipe.read(14), "lost 50\nafter\n");
  EXPECT_EQ(writer.lost(), 0U);
}

TEST(LineWriter, SurvivesAReaderThatHasGone) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  ::close(std::exchange(pipe.ends[0], -1));
  LineWriter writer(pipe.ends[1]);
  writer.write("to nobody");
  EXPECT_EQ(writer.lost(), 1U);
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
  ASSERT_EQ(writer.lost(), 0U);  // 40,000 bytes fit into a pipe
  const std::string all = pipe.read(40'000);
  for (std::size_t at = 0; at < all.size(); at += 100) {
    EXPECT_EQ(all.substr(at, 100), std::string(99, all[at]) + "\n");
  }
}

}  // namespace
}  // namespace squall::runtime
