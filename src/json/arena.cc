#include "arena.h"

#include <algorithm>
#include <utility>

namespace squall::json {

namespace {
constexpr std::size_t kChunkBytesMin = 4096;
constexpr std::size_t kChunkBytesMax = std::size_t{1} << 20;
}  // namespace

void Arena::open(const Chunk& chunk) noexcept {
  next_ = chunk.bytes.get();
  end_ = next_ + chunk.size;
  ++opened_;
}

char* Arena::allocate_in_new_chunk(std::size_t bytes) {
  // The same texts ask for the same pieces, so the chunks kept from last time mostly fit in order.
  if (opened_ < chunks_.size() && chunks_[opened_].size < bytes) chunks_.resize(opened_);
  if (opened_ == chunks_.size()) {
    const std::size_t twice = chunks_.empty() ? 0 : 2 * chunks_.back().size;
    const std::size_t size = std::max(bytes, std::clamp(twice, kChunkBytesMin, kChunkBytesMax));
    chunks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  }
  open(chunks_[opened_]);
  char* piece = next_;
  next_ += bytes;
  return piece;
}

std::size_t Arena::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Chunk& chunk : chunks_) sum += chunk.size;
  return sum;
}

void Arena::reset(std::size_t retained_max) noexcept {
  std::size_t kept = 0;
  std::size_t bytes = 0;
  while (kept < chunks_.size() && bytes + chunks_[kept].size <= retained_max) {
    bytes += chunks_[kept++].size;
  }
  chunks_.resize(kept);
  opened_ = 0;
  next_ = nullptr;
  end_ = nullptr;
}

}  // namespace squall::json
