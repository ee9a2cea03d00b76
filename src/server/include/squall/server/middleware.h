#pragma once

#include <concepts>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <typeindex>
#include <utility>

#include "squall/server/stage.h"
#include "squall/server/tool_error.h"
#include "squall/server/typed_handler.h"

namespace squall::server {

class Presenter;

/// When a stage runs again while one logical call asks its client for input.
enum class Rounds : std::uint8_t {
  first,  ///< once a call: what it does beside looking isn't done twice
  every,  ///< each time the handler runs; so does all middleware added behind it
};

/// What a check decides: nothing, or why the call must not go on.
using Checked = std::expected<void, ToolError>;

/// `return refuse("UNAUTHORIZED", "log in first");` in a check.
[[nodiscard]] inline std::unexpected<ToolError> refuse(std::string_view code,
                                                       std::string_view message) {
  return std::unexpected(ToolError(code, message));
}

/// One step before or around a handler. A *check* is a function of Context& and, if it likes, the
/// server's own context, that gives a `Checked`: it costs next to nothing and runs each time the
/// call comes in. A *stage* wraps what is behind it.
struct Middleware {
  std::function<Checked(Context&)> check;
  std::shared_ptr<Stage> stage;
  std::shared_ptr<const Presenter> presenter;  ///< the engine's own step between guards and these
  Rounds rounds = Rounds::first;
  bool resumes = false;  ///< a guard: runs for every request of a call
  std::optional<std::type_index> own_context;

  template <typename F>
  static Middleware from_check(F function) {
    using Of = typename detail::ParametersOf<F>::Type;
    Middleware out;
    out.own_context = detail::own_context_of<void>(Of{});
    out.check = [function = std::move(function)](Context& context) -> Checked {
      detail::Input<void> none;
      return detail::invoke<void>(function, context, none, Of{});
    };
    return out;
  }
  static Middleware from_stage(std::shared_ptr<Stage> stage, Rounds rounds) {
    Middleware out;
    out.stage = std::move(stage);
    out.rounds = rounds;
    return out;
  }
};

}  // namespace squall::server
