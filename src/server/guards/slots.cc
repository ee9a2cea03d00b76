#include "slots.h"

#include <algorithm>

namespace squall::server {

namespace {
/// Told when nothing is known yet.
constexpr std::chrono::milliseconds kRetryUnknown{100};
constexpr std::chrono::milliseconds kRetryMax{60'000};
/// The weight of the past in the moving average: 7 to 1.
constexpr std::int64_t kPast = 8;
}  // namespace

Slots::Hold::~Hold() {
  if (!slots_) return;
  slots_->note_held(loop_->now() - since_);
  slots_->give_back();
}

Slots::Awaiter Slots::acquire(runtime::Loop& loop) { return {shared_from_this(), loop}; }

Slots::Entry Slots::enter(const std::shared_ptr<Ticket>& ticket) {
  const std::lock_guard lock(mutex_);
  if (held_ < places_) {  // then nobody waits
    ++held_;
    return Entry::taken;
  }
  if (queue_.size() >= queue_max_) return Entry::refused;
  queue_.push_back(ticket);
  return Entry::queued;
}

void Slots::give_back() {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    --held_;
    return;
  }
  // The place changes hands without being free in between.
  std::shared_ptr<Ticket> next = std::move(queue_.front());
  queue_.pop_front();
  next->granted = true;
  runtime::Loop& loop = *next->loop;
  // Posted under the lock: a waiter that leaves now waits for it, and its loop lives as long.
  loop.post([next = std::move(next)] {
    if (!next->gone) next->waiter.resume();
  });
}

void Slots::leave(const std::shared_ptr<Ticket>& ticket) {
  ticket->gone = true;
  {
    const std::lock_guard lock(mutex_);
    if (!ticket->granted) {
      std::erase(queue_, ticket);
      return;
    }
  }
  give_back();
}

void Slots::note_held(runtime::Duration duration) {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = std::max<std::int64_t>(1, duration.count());
  mean_held_ns_ = mean_held_ns_ == 0 ? now : mean_held_ns_ + (now - mean_held_ns_) / kPast;
}

std::chrono::milliseconds Slots::retry_after() const {
  const std::lock_guard lock(mutex_);
  if (mean_held_ns_ == 0) return kRetryUnknown;
  const auto before_us = static_cast<std::int64_t>(queue_.size() + 1);
  const auto places = static_cast<std::int64_t>(std::max<std::size_t>(1, places_));
  const std::int64_t rounds = (before_us + places - 1) / places;
  const std::int64_t mean_ms = (mean_held_ns_ + 999'999) / 1'000'000;
  if (mean_ms > kRetryMax.count() / rounds) return kRetryMax;
  return std::chrono::milliseconds(mean_ms * rounds);
}

std::size_t Slots::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

std::size_t Slots::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

bool Slots::Awaiter::await_suspend(std::coroutine_handle<> waiter) {
  auto ticket = std::make_shared<Ticket>(Ticket{&loop_, waiter});
  // Before the queue is entered: the turn may come at once, from another thread.
  ticket_ = ticket;
  const Entry entry = slots_->enter(ticket);
  if (entry == Entry::queued) return true;
  ticket_ = nullptr;
  taken_ = entry == Entry::taken;
  return false;
}

Slots::Hold Slots::Awaiter::await_resume() {
  const bool granted = std::exchange(ticket_, nullptr) != nullptr;
  if (!granted && !std::exchange(taken_, false)) return {};
  return {slots_, loop_};
}

Slots::Awaiter::~Awaiter() {
  if (ticket_) slots_->leave(ticket_);
  if (taken_) slots_->give_back();
}

}  // namespace squall::server
