#pragma once

#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "squall/base/assert.h"
#include "squall/runtime/loop.h"

namespace squall::runtime {

/// A value that comes once, and the one coroutine that waits for it: `co_await shot`.
///
/// The waiter goes on from the loop, never inside `set`. It may be destroyed while it waits; when
/// the OneShot is destroyed first, the waiter stays suspended. On the loop's thread only.
template <typename T = void>
class OneShot {
  using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

 public:
  class Awaiter;

  explicit OneShot(Loop& loop) : loop_(loop) {}
  ~OneShot() {
    if (resumption_ != TimerId::none) loop_.cancel(resumption_);
    if (waiter_ != nullptr) waiter_->shot_ = nullptr;
  }
  OneShot(const OneShot&) = delete;
  OneShot& operator=(const OneShot&) = delete;

  /// Gives the value; the first call wins, and says so.
  template <typename... U>
  bool set(U&&... value) {
    if (set_) return false;
    set_ = true;
    value_.emplace(std::forward<U>(value)...);
    if (waiter_ != nullptr) resume_later();
    return true;
  }
  [[nodiscard]] bool is_set() const { return set_; }

  Awaiter operator co_await() { return Awaiter(*this); }

  class [[nodiscard]] Awaiter {
   public:
    explicit Awaiter(OneShot& shot) : shot_(&shot) {}
    ~Awaiter() {
      if (shot_ != nullptr && shot_->waiter_ == this) shot_->forget_waiter();
    }
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;

    [[nodiscard]] bool await_ready() const noexcept { return shot_->set_; }
    void await_suspend(std::coroutine_handle<> waiter) {
      SQUALL_ASSERT(shot_->waiter_ == nullptr);
      handle_ = waiter;
      shot_->waiter_ = this;
    }
    T await_resume() {
      SQUALL_ASSERT(shot_->value_.has_value());
      if constexpr (!std::is_void_v<T>) {
        T value = std::move(*shot_->value_);
        shot_->value_.reset();
        return value;
      }
    }

   private:
    friend class OneShot;
    OneShot* shot_;
    std::coroutine_handle<> handle_;
  };

 private:
  void resume_later() {
    resumption_ = loop_.call_after(Duration::zero(), [this] {
      resumption_ = TimerId::none;
      std::exchange(waiter_, nullptr)->handle_.resume();
    });
  }
  void forget_waiter() {
    waiter_ = nullptr;
    if (resumption_ != TimerId::none) loop_.cancel(std::exchange(resumption_, TimerId::none));
  }

  Loop& loop_;
  std::optional<Stored> value_;
  bool set_ = false;
  Awaiter* waiter_ = nullptr;
  TimerId resumption_ = TimerId::none;
};

}  // namespace squall::runtime
