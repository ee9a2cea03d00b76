#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "squall/runtime/task.h"
#include "squall/server/content.h"
#include "squall/server/context.h"

namespace squall::server {

template <typename T>
struct IsTask : std::false_type {};
template <typename T>
struct IsTask<Task<T>> : std::true_type {
  using Result = T;
};

/// A handler of either kind, over one result type.
template <typename T>
struct Handler {
  std::function<Outcome<T>(Context&)> plain;
  std::function<Task<Outcome<T>>(Context&)> coroutine;
  [[nodiscard]] bool set() const noexcept { return plain || coroutine; }

  /// Takes a function of Context& that returns T, Outcome<T>, what a T is made of, or a Task of
  /// one.
  template <typename F>
  static Handler from(F function) {
    using Returned = std::invoke_result_t<F&, Context&>;
    Handler out;
    if constexpr (std::is_same_v<Returned, Task<Outcome<T>>>) {
      out.coroutine = std::move(function);
    } else if constexpr (IsTask<Returned>::value) {
      out.coroutine = [inner = std::move(function)](Context& context) {
        return widen(inner(context));
      };
    } else {
      out.plain = [inner = std::move(function)](Context& context) { return to(inner(context)); };
    }
    return out;
  }

 private:
  template <typename R>
  static Outcome<T> to(R result) {
    if constexpr (std::is_convertible_v<R, Outcome<T>>) {
      return result;
    } else {
      return T(std::move(result));
    }
  }
  template <typename R>
  static Task<Outcome<T>> widen(Task<R> task) {
    R result = co_await std::move(task);
    co_return to(std::move(result));
  }
};

}  // namespace squall::server
