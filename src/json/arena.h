#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace squall::json {

/// Memory that is handed out in pieces, aligned to 8, and taken back all at once.
class Arena {
 public:
  [[nodiscard]] char* allocate(std::size_t bytes) {
    bytes = (bytes + 7) & ~std::size_t{7};
    if (bytes > static_cast<std::size_t>(end_ - next_)) return allocate_in_new_chunk(bytes);
    char* piece = next_;
    next_ += bytes;
    return piece;
  }
  /// Gives back what the piece handed out last has behind its first `bytes` bytes.
  void shrink_last(char* piece, std::size_t bytes) noexcept {
    next_ = piece + ((bytes + 7) & ~std::size_t{7});
  }
  /// Takes everything back, keeping at most `retained_max` bytes for next time.
  void reset(std::size_t retained_max) noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  char* allocate_in_new_chunk(std::size_t bytes);
  void open(const Chunk& chunk) noexcept;

  std::vector<Chunk> chunks_;
  std::size_t opened_ = 0;  // chunks in use; the last of them is the one we hand out from
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace squall::json
