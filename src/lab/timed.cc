#include "timed.h"

#include <exception>

namespace squall::lab {

Timed::Timed(runtime::Loop& loop, Task<Attempt> work) : loop_(loop) {
  running_ = run(std::move(work));
  running_.start();
}

Timed::~Timed() { stop_timer(); }

void Timed::stop_timer() {
  if (timer_ != runtime::TimerId::none) {
    loop_.cancel(std::exchange(timer_, runtime::TimerId::none));
  }
}

Task<void> Timed::run(Task<Attempt> work) {
  // A subject is foreign code: what it throws becomes an attempt that failed, here.
  try {
    result_.emplace(co_await std::move(work));
  } catch (const std::exception& thrown) {
    result_.emplace();
    result_->message = thrown.what();
    rejected_ = true;
  } catch (...) {
    result_.emplace();
    result_->message = "the adapter threw";
    rejected_ = true;
  }
  if (rejected_) result_->ending = Ending::protocol_error;
  if (waiting_ != nullptr) waiting_->set(true);
}

Task<bool> Timed::wait(runtime::Duration budget) {
  if (result_) co_return true;
  runtime::OneShot<bool> ended(loop_);
  waiting_ = &ended;
  timer_ = loop_.call_after(budget, [this] {
    timer_ = runtime::TimerId::none;
    waiting_->set(false);
  });
  const bool done = co_await ended;
  waiting_ = nullptr;
  stop_timer();
  co_return done || result_.has_value();
}

}  // namespace squall::lab
