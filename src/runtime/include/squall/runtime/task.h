#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "squall/base/assert.h"
#include "squall/runtime/frame_pool.h"

namespace squall {

template <typename T>
class Task;

namespace runtime::detail {

template <typename T>
struct Promise;

struct FinalAwaiter {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <typename P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> done) const noexcept {
    const std::coroutine_handle<> waiter = done.promise().waiter;
    return waiter ? waiter : std::noop_coroutine();
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> waiter;
  std::exception_ptr thrown;

  static void* operator new(std::size_t bytes) { return allocate_pooled(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    free_pooled(frame, bytes);
  }
  [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
  [[nodiscard]] FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { thrown = std::current_exception(); }
};

template <typename T>
struct Promise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object() noexcept;
  template <typename U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object() noexcept;
  void return_void() const noexcept {}
};

}  // namespace runtime::detail

/// A coroutine that starts when it is awaited and belongs to whoever holds it.
///
/// Destroying a Task destroys the coroutine and everything it waits for, which is how a cancelled
/// call ends. An exception that leaves the coroutine is thrown again where it is awaited.
///
/// With g++ 12, don't put a lambda with captures, a braced aggregate, or `?:` of class type into
/// the same full expression as `co_await`: name it first (docs/decisions/0003-coroutines.md).
template <typename T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = runtime::detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() noexcept = default;
  explicit Task(Handle handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  [[nodiscard]] bool valid() const noexcept { return static_cast<bool>(handle_); }
  [[nodiscard]] bool done() const noexcept { return handle_ && handle_.done(); }

  /// Starts it by hand, outside any coroutine; `on_done` of the loop around it looks at `done()`.
  void start() const {
    SQUALL_ASSERT(valid());
    handle_.resume();
  }
  /// The result of a Task that is done; throws what the coroutine threw.
  T take() {
    SQUALL_ASSERT(done());
    auto& promise = handle_.promise();
    if (promise.thrown) std::rethrow_exception(promise.thrown);
    if constexpr (!std::is_void_v<T>) return std::move(*promise.value);
  }

  struct Awaiter {
    Handle handle;
    [[nodiscard]] bool await_ready() const noexcept { return handle.done(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) const noexcept {
      handle.promise().waiter = waiter;
      return handle;
    }
    T await_resume() const {
      auto& promise = handle.promise();
      if (promise.thrown) std::rethrow_exception(promise.thrown);
      if constexpr (!std::is_void_v<T>) return std::move(*promise.value);
    }
  };
  Awaiter operator co_await() && noexcept { return Awaiter{handle_}; }
  Awaiter operator co_await() & noexcept { return Awaiter{handle_}; }

 private:
  Handle handle_;
};

namespace runtime::detail {

template <typename T>
Task<T> Promise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

}  // namespace runtime::detail
}  // namespace squall
