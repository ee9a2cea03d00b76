#include "squall/runtime/line_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace squall::runtime {
namespace {

/// How long the last word about lost lines waits for a reader.
constexpr std::chrono::milliseconds kLastWord{100};

}  // namespace

std::chrono::system_clock::time_point wall_time() { return std::chrono::system_clock::now(); }

LineWriter::LineWriter(int descriptor, LostLine lost_line)
    : descriptor_(descriptor), lost_line_(std::move(lost_line)) {}

LineWriter::~LineWriter() { tell_lost(kLastWord); }

void LineWriter::write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  tell_lost({});
  // What was lost and not told yet stands before this line, so the line has to wait its turn too.
  if ((lost_ != 0 && lost_line_) || !put(line, {})) ++lost_;
}

std::uint64_t LineWriter::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void LineWriter::tell_lost(std::chrono::milliseconds patience) {
  if (lost_ != 0 && lost_line_ && put(lost_line_(lost_), patience)) lost_ = 0;
}

bool LineWriter::put(std::string_view line, std::chrono::milliseconds patience) {
  std::array<char, kLineBytesMax> bytes;
  const std::size_t size = std::min(line.size(), bytes.size() - 1);
  std::copy_n(line.data(), size, bytes.data());
  bytes[size] = '\n';
  // Others have the same open file, so it can't be made non-blocking. A pipe that polls as writable
  // has room for PIPE_BUF bytes, which is what a line is cut to.
  pollfd ready{descriptor_, POLLOUT, 0};
  const int polled = ::poll(&ready, 1, static_cast<int>(patience.count()));
  if (polled != 1 || (ready.revents & POLLOUT) == 0) return false;
  ssize_t taken = -1;
  do {
    taken = ::write(descriptor_, bytes.data(), size + 1);
  } while (taken < 0 && errno == EINTR);
  return taken >= 0;
}

}  // namespace squall::runtime
