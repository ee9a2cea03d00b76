#include "timer_queue.h"

#include <algorithm>
#include <utility>

#include "squall/base/assert.h"

namespace squall::runtime {
namespace {

constexpr std::size_t kFanOut = 4;

TimerId to_id(std::uint32_t slot, std::uint32_t generation) {
  return static_cast<TimerId>(std::uint64_t{generation} << 32U | slot);
}

}  // namespace

TimerId TimerQueue::add(TimePoint when, Task0 task) {
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[slot].task = std::move(task);
  heap_.emplace_back();
  sift_up(heap_.size() - 1, Entry{when, next_order_++, slot});
  return to_id(slot, slots_[slot].generation);
}

bool TimerQueue::cancel(TimerId id) {
  const auto bits = static_cast<std::uint64_t>(id);
  const auto slot = static_cast<std::uint32_t>(bits);
  if (id == TimerId::none || slot >= slots_.size()) return false;
  if (slots_[slot].generation != static_cast<std::uint32_t>(bits >> 32U)) return false;
  const Task0 forgotten = remove_at(slots_[slot].position);
  return true;
}

std::optional<TimePoint> TimerQueue::next() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().when;
}

std::optional<Task0> TimerQueue::take_due(TimePoint now, std::uint64_t order) {
  if (heap_.empty()) return std::nullopt;
  if (heap_.front().when > now || heap_.front().order >= order) return std::nullopt;
  return remove_at(0);
}

void TimerQueue::clear() {
  while (!heap_.empty()) const Task0 forgotten = remove_at(heap_.size() - 1);
}

void TimerQueue::place(std::size_t position, const Entry& entry) {
  heap_[position] = entry;
  slots_[entry.slot].position = position;
}

void TimerQueue::sift_up(std::size_t position, const Entry& entry) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / kFanOut;
    if (!entry.before(heap_[parent])) break;
    place(position, heap_[parent]);
    position = parent;
  }
  place(position, entry);
}

void TimerQueue::sift_down(std::size_t position, const Entry& entry) {
  for (;;) {
    const std::size_t first = position * kFanOut + 1;
    if (first >= heap_.size()) break;
    const std::size_t last = std::min(first + kFanOut, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < last; ++child) {
      if (heap_[child].before(heap_[least])) least = child;
    }
    if (!heap_[least].before(entry)) break;
    place(position, heap_[least]);
    position = least;
  }
  place(position, entry);
}

Task0 TimerQueue::remove_at(std::size_t position) {
  SQUALL_ASSERT(position < heap_.size());
  const std::uint32_t slot = heap_[position].slot;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position < heap_.size()) {
    const bool rises = position > 0 && last.before(heap_[(position - 1) / kFanOut]);
    if (rises) {
      sift_up(position, last);
    } else {
      sift_down(position, last);
    }
  }
  // Generation 0 is skipped, so that no id is ever TimerId::none.
  if (++slots_[slot].generation == 0) slots_[slot].generation = 1;
  free_slots_.push_back(slot);
  return std::exchange(slots_[slot].task, nullptr);
}

}  // namespace squall::runtime
