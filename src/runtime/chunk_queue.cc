#include "chunk_queue.h"

#include "squall/base/assert.h"

namespace squall::runtime {
namespace {

/// Small sends are gathered into pieces up to this size; larger ones keep a piece of their own.
constexpr std::size_t kChunkBytes = 16 << 10;

}  // namespace

void ChunkQueue::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (size_ > 0 && chunks_.back().size() + bytes.size() <= kChunkBytes) {
    chunks_.back().append(bytes);
  } else {
    chunks_.emplace_back(bytes);
  }
  size_ += bytes.size();
}

std::string_view ChunkQueue::front() const {
  if (size_ == 0) return {};
  return std::string_view(chunks_[first_]).substr(offset_);
}

int ChunkQueue::gather(iovec* pieces, int count) const {
  int filled = 0;
  std::size_t offset = offset_;
  for (std::size_t i = first_; i < chunks_.size() && filled < count; ++i) {
    const std::string_view rest = std::string_view(chunks_[i]).substr(offset);
    // The kernel only reads through this pointer.
    pieces[filled++] = iovec{const_cast<char*>(rest.data()), rest.size()};
    offset = 0;
  }
  return filled;
}

void ChunkQueue::consume(std::size_t count) {
  SQUALL_ASSERT(count <= size_);
  size_ -= count;
  if (size_ == 0) return clear();
  while (count > 0) {
    const std::size_t rest = chunks_[first_].size() - offset_;
    if (count < rest) {
      offset_ += count;
      break;
    }
    count -= rest;
    offset_ = 0;
    std::string().swap(chunks_[first_++]);
  }
  // Moving the survivors only when at least as many are gone keeps this linear over all.
  if (first_ * 2 > chunks_.size()) {
    chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
}

void ChunkQueue::clear() {
  std::vector<std::string>().swap(chunks_);
  first_ = 0;
  offset_ = 0;
  size_ = 0;
}

}  // namespace squall::runtime
