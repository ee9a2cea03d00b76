#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace squall::server {

/// Objects that others own and may let go of at any time. Grows with those alive: the gone are
/// swept out each time their number may have doubled.
template <typename T>
class WeakSet {
 public:
  void add(const std::shared_ptr<T>& object) {
    if (objects_.size() >= sweep_at_) sweep();
    objects_.push_back(object);
  }
  /// Calls `visit` for each that is alive; it may add and end objects.
  template <typename F>
  void for_each(F visit) {
    sweep();
    const std::vector<std::weak_ptr<T>> objects = objects_;
    for (const auto& weak : objects) {
      if (const auto object = weak.lock()) visit(*object);
    }
  }
  /// Whether none is left, as of the last sweep.
  [[nodiscard]] bool empty() const noexcept { return objects_.empty(); }

 private:
  void sweep() {
    std::erase_if(objects_, [](const auto& weak) { return weak.expired(); });
    sweep_at_ = std::max<std::size_t>(64, objects_.size() * 2);
  }
  std::vector<std::weak_ptr<T>> objects_;
  std::size_t sweep_at_ = 64;
};

}  // namespace squall::server
