#pragma once

#include <chrono>
#include <vector>

#include "squall/recording/event.h"

namespace squall::recording {

/// Takes the events of a run as they happen. What records is chosen at the top; what there is to
/// record is known below.
class Recorder {
 public:
  virtual ~Recorder() = default;
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  /// `at` is the time since the run began.
  virtual void add(std::chrono::nanoseconds at, EventBody body) = 0;
};

/// Keeps events in memory, for runs whose case is written only when they fail.
class MemoryRecorder final : public Recorder {
 public:
  explicit MemoryRecorder(std::size_t events_max = 1'000'000) : events_max_(events_max) {}
  void add(std::chrono::nanoseconds at, EventBody body) override;
  /// Gives every event to `other`, in order, and forgets them.
  void replay_into(Recorder& other);
  [[nodiscard]] const std::vector<Event>& events() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
  void clear();

 private:
  std::size_t events_max_;
  std::uint64_t dropped_ = 0;
  std::vector<Event> events_;
};

}  // namespace squall::recording
