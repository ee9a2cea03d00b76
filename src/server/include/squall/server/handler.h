#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "squall/runtime/task.h"
#include "squall/server/content.h"
#include "squall/server/context.h"

namespace squall::server {

/// A handler of either kind, over one result type.
template <typename T>
struct Handler {
  std::function<Outcome<T>(Context&)> plain;
  std::function<Task<Outcome<T>>(Context&)> coroutine;
  [[nodiscard]] bool set() const noexcept { return plain || coroutine; }

  /// Takes a function of Context& that returns T, Outcome<T>, Task<T> or Task<Outcome<T>>.
  template <typename F>
  static Handler from(F function) {
    using Returned = std::invoke_result_t<F&, Context&>;
    Handler out;
    if constexpr (std::is_same_v<Returned, Task<Outcome<T>>>) {
      out.coroutine = std::move(function);
    } else if constexpr (std::is_same_v<Returned, Task<T>>) {
      out.coroutine = [inner = std::move(function)](Context& context) {
        return widen(inner(context));
      };
    } else {
      out.plain = [inner = std::move(function)](Context& context) -> Outcome<T> {
        return inner(context);
      };
    }
    return out;
  }

 private:
  static Task<Outcome<T>> widen(Task<T> task) { co_return co_await std::move(task); }
};

}  // namespace squall::server
