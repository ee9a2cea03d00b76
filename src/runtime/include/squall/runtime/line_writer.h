#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

/// @file Diagnostics on a descriptor that others share and that perhaps nobody reads.

namespace squall::runtime {

/// The machine's calendar time, where there is no loop to ask.
[[nodiscard]] std::chrono::system_clock::time_point wall_time();

/// Writes lines to a descriptor, each in one piece, without waiting: a line that the reader has no
/// room for is lost. From any thread.
class LineWriter {
 public:
  /// A pipe with room takes that much at once; a longer line is cut.
  static constexpr std::size_t kLineBytesMax = 4096;

  /// Makes the line that tells how many were lost; called where that may be written.
  using LostLine = std::function<std::string(std::uint64_t lost)>;

  /// `descriptor` stays the caller's. With a `lost_line`, each gap is told in front of the next
  /// line that finds room.
  explicit LineWriter(int descriptor, LostLine lost_line = {});
  /// A gap that nothing was written behind is told here; only that waits, for 100 ms at most.
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// `line` without its line feed.
  void write(std::string_view line);
  /// The number of lines lost and not told.
  [[nodiscard]] std::uint64_t lost() const;

 private:
  void tell_lost(std::chrono::milliseconds patience);
  /// Whether the line was written.
  bool put(std::string_view line, std::chrono::milliseconds patience);

  mutable std::mutex mutex_;
  int descriptor_;
  LostLine lost_line_;
  std::uint64_t lost_ = 0;
};

}  // namespace squall::runtime
