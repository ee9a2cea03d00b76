#include "squall/recording/recorder.h"

#include <utility>

namespace squall::recording {

void MemoryRecorder::add(std::chrono::nanoseconds at, EventBody body) {
  if (events_.size() >= events_max_) {
    ++dropped_;
    return;
  }
  events_.push_back({.seq = events_.size() + 1, .at = at, .body = std::move(body)});
}

void MemoryRecorder::replay_into(Recorder& other) {
  for (Event& event : events_) other.add(event.at, std::move(event.body));
  clear();
}

void MemoryRecorder::clear() {
  events_.clear();
  dropped_ = 0;
}

}  // namespace squall::recording
