#pragma once

/// @file How a member function notices that a callback it made destroyed its object.

namespace squall::transport {

class LifetimeWatch;

/// A member of the object watched.
class Lifetime {
 public:
  Lifetime() = default;
  inline ~Lifetime();
  Lifetime(const Lifetime&) = delete;
  Lifetime& operator=(const Lifetime&) = delete;

 private:
  friend class LifetimeWatch;
  LifetimeWatch* innermost_ = nullptr;
};

/// Lives on the stack of a member function, around its callbacks.
class LifetimeWatch {
 public:
  explicit LifetimeWatch(Lifetime& life) : life_(&life), outer_(life.innermost_) {
    life.innermost_ = this;
  }
  ~LifetimeWatch() {
    if (life_ != nullptr) life_->innermost_ = outer_;
  }
  LifetimeWatch(const LifetimeWatch&) = delete;
  LifetimeWatch& operator=(const LifetimeWatch&) = delete;
  [[nodiscard]] bool ended() const noexcept { return life_ == nullptr; }

 private:
  friend class Lifetime;
  Lifetime* life_;
  LifetimeWatch* outer_;
};

Lifetime::~Lifetime() {
  for (LifetimeWatch* watch = innermost_; watch != nullptr; watch = watch->outer_) {
    watch->life_ = nullptr;
  }
}

}  // namespace squall::transport
