#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/uio.h>

namespace squall::runtime {

/// Bytes that wait to be sent, in pieces. Takes no heap memory while empty.
class ChunkQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void append(std::string_view bytes);
  /// The first bytes, at most one piece.
  [[nodiscard]] std::string_view front() const;
  /// Describes the first bytes in up to `count` pieces; how many were filled.
  [[nodiscard]] int gather(iovec* pieces, int count) const;
  /// Removes the first `count` bytes, of which there are so many.
  void consume(std::size_t count);
  void clear();

 private:
  std::vector<std::string> chunks_;
  std::size_t first_ = 0;   // index of the first chunk that is not consumed
  std::size_t offset_ = 0;  // bytes consumed of it
  std::size_t size_ = 0;
};

}  // namespace squall::runtime
