#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

/// @file Diagnostics on a descriptor that others share and that perhaps nobody reads.

namespace squall::runtime {

/// The machine's calendar time, where there is no loop to ask.
[[nodiscard]] std::chrono::system_clock::time_point wall_time();

/// Writes lines to a descriptor, each in one piece, without ever waiting: a line that the reader
/// has no room for is lost. From any thread.
class LineWriter {
 public:
  /// A pipe with room takes that much at once; a longer line is cut.
  static constexpr std::size_t kLineBytesMax = 4096;

  /// `descriptor` stays the caller's.
  explicit LineWriter(int descriptor) : descriptor_(descriptor) {}
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// `line` without its line feed.
  void write(std::string_view line);
  /// The number of lines lost since the last call.
  [[nodiscard]] std::uint64_t take_lost();

 private:
  std::mutex mutex_;
  int descriptor_;
  std::uint64_t lost_ = 0;
};

}  // namespace squall::runtime
