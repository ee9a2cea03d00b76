#include "squall/runtime/line_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace squall::runtime {

std::chrono::system_clock::time_point wall_time() { return std::chrono::system_clock::now(); }

void LineWriter::write(std::string_view line) {
  std::array<char, kLineBytesMax> bytes;
  const std::size_t size = std::min(line.size(), bytes.size() - 1);
  std::copy_n(line.data(), size, bytes.data());
  bytes[size] = '\n';
  const std::lock_guard lock(mutex_);
  // Others have the same open file, so it can't be made non-blocking. A pipe that polls as writable
  // has room for PIPE_BUF bytes, which is what a line is cut to.
  pollfd ready{descriptor_, POLLOUT, 0};
  const bool writable = ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0;
  ssize_t taken = -1;
  if (writable) {
    do {
      taken = ::write(descriptor_, bytes.data(), size + 1);
    } while (taken < 0 && errno == EINTR);
  }
  if (taken < 0) ++lost_;
}

std::uint64_t LineWriter::take_lost() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_, 0);
}

}  // namespace squall::runtime
