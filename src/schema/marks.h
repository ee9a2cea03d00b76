#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace squall::schema {

/// A set of small numbers; up to 64 of them live inside it without allocating.
class Marks {
 public:
  explicit Marks(std::size_t size) : size_(size) {
    if (size > kInlineMax) more_.resize((size + 63) / 64);
  }
  void set(std::size_t index) noexcept { word(index) |= bit(index); }
  [[nodiscard]] bool test(std::size_t index) const noexcept {
    return ((size_ <= kInlineMax ? few_ : more_[index / 64]) & bit(index)) != 0;
  }
  /// The first number not in the set, or `size` when there is none.
  [[nodiscard]] std::size_t first_unset() const noexcept {
    std::size_t index = 0;
    while (index < size_ && test(index)) ++index;
    return index;
  }
  /// Adds what `other`, of the same size, has.
  void merge(const Marks& other) noexcept {
    few_ |= other.few_;
    for (std::size_t i = 0; i < more_.size(); ++i) more_[i] |= other.more_[i];
  }

 private:
  static constexpr std::size_t kInlineMax = 64;
  static std::uint64_t bit(std::size_t index) noexcept { return std::uint64_t{1} << (index % 64); }
  std::uint64_t& word(std::size_t index) noexcept {
    return size_ <= kInlineMax ? few_ : more_[index / 64];
  }

  std::size_t size_;
  std::uint64_t few_ = 0;
  std::vector<std::uint64_t> more_;
};

}  // namespace squall::schema
