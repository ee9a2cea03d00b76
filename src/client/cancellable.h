#pragma once

#include "squall/client/options.h"

namespace squall::client {

/// What a Cancellation can end. Leaves its source when destroyed; the source outlives the watching.
class Cancellable {
 public:
  Cancellable() = default;
  virtual ~Cancellable() { leave(); }
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;
  void watch(Cancellation& source);
  void leave();
  virtual void on_cancelled() = 0;

 private:
  friend class Cancellation;
  void detach() noexcept { source_ = nullptr; }
  Cancellation* source_ = nullptr;
};

}  // namespace squall::client
