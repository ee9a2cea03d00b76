#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "squall/runtime/loop.h"

namespace squall::runtime {

/// Timers by time, then by the order of their making; adding and cancelling are O(log n).
///
/// Destroying a task may come back into the queue: a task is always moved out first.
class TimerQueue {
 public:
  TimerId add(TimePoint when, Task0 task);
  bool cancel(TimerId id);

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::optional<TimePoint> next() const;
  /// The order number that the next timer will get.
  [[nodiscard]] std::uint64_t order() const { return next_order_; }
  /// Takes out the first timer if it is due at `now` and was made before `order`.
  [[nodiscard]] std::optional<Task0> take_due(TimePoint now, std::uint64_t order);
  void clear();

 private:
  struct Entry {
    TimePoint when;
    std::uint64_t order;
    std::uint32_t slot;
    [[nodiscard]] bool before(const Entry& other) const {
      return when != other.when ? when < other.when : order < other.order;
    }
  };
  struct Slot {
    Task0 task;
    std::size_t position = 0;  // in heap_, while the slot is in use
    std::uint32_t generation = 1;
  };

  void place(std::size_t position, const Entry& entry);
  void sift_up(std::size_t position, const Entry& entry);
  void sift_down(std::size_t position, const Entry& entry);
  [[nodiscard]] Task0 remove_at(std::size_t position);

  std::vector<Entry> heap_;  // 4-ary: the children of i are 4i+1 to 4i+4
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::uint64_t next_order_ = 0;
};

}  // namespace squall::runtime
