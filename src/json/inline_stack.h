#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace squall::json {

/// A stack of small trivial frames that touches the heap only beyond `kInline` of them: walks over
/// values use it in place of recursion, so no input decides how deep the call stack goes.
template <typename Frame, std::size_t kInline = 32>
class InlineStack {
 public:
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Frame& top() noexcept { return size_ <= kInline ? near_[size_ - 1] : far_.back(); }
  void push(const Frame& frame) {
    if (size_ < kInline) {
      near_[size_] = frame;
    } else {
      far_.push_back(frame);
    }
    ++size_;
  }
  void pop() noexcept {
    if (size_ > kInline) far_.pop_back();
    --size_;
  }

 private:
  std::array<Frame, kInline> near_;
  std::vector<Frame> far_;
  std::size_t size_ = 0;
};

}  // namespace squall::json
