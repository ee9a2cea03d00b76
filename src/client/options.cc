#include "squall/client/options.h"

#include <algorithm>

#include "cancellable.h"

namespace squall::client {

void Cancellation::cancel(std::string reason) {
  if (std::exchange(cancelled_, true)) return;
  reason_ = std::move(reason);
  // A call that ends takes itself off the list, and may end others.
  while (!waiting_.empty()) {
    Cancellable* const call = waiting_.back();
    waiting_.pop_back();
    call->detach();
    call->on_cancelled();
  }
}

void Cancellable::watch(Cancellation& source) {
  source_ = &source;
  source.waiting_.push_back(this);
}

void Cancellable::leave() {
  if (source_ == nullptr) return;
  std::erase(source_->waiting_, this);
  source_ = nullptr;
}

}  // namespace squall::client
