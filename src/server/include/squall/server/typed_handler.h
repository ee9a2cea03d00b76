#pragma once

#include <exception>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <variant>

#include "squall/schema/typed.h"
#include "squall/server/blocking.h"
#include "squall/server/handler.h"
#include "squall/server/tool_error.h"

/// @file How a function of the user's becomes the handler of an action: which of its parameters is
/// what, and what its result means.

namespace squall::server {

/// How a typed handler may end, when it may also ask for input: with a T, a tool error, a need for
/// input, or a protocol error.
template <typename T>
class Reply {
 public:
  Reply(T result) : value_(std::move(result)) {}
  Reply(ToolError error) : value_(std::move(error)) {}
  Reply(NeedInput need) : value_(need) {}
  Reply(ProtocolError error) : value_(std::move(error)) {}

 private:
  template <typename R>
  friend Outcome<ToolResult> to_outcome(R result);
  std::variant<T, ToolError, NeedInput, ProtocolError> value_;
};

template <typename T>
struct IsReply : std::false_type {};
template <typename T>
struct IsReply<Reply<T>> : std::true_type {};
template <typename T>
struct IsExpected : std::false_type {};
template <typename T, typename E>
struct IsExpected<std::expected<T, E>> : std::true_type {};

/// What a handler's result is on the wire: text stays text, content stays content, every other
/// typed value becomes structured content.
template <typename R>
Outcome<ToolResult> to_outcome(R result) {
  if constexpr (IsExpected<R>::value) {
    using E = typename R::error_type;
    if (!result) {
      if constexpr (std::is_same_v<E, Error>) {
        return to_tool_error(result.error());
      } else {
        static_assert(std::is_same_v<E, ToolError>, "errors are squall::Error or ToolError");
        return std::move(result).error();
      }
    }
    if constexpr (std::is_void_v<typename R::value_type>) {
      return ToolResult::text("OK");
    } else {
      return to_outcome(*std::move(result));
    }
  } else if constexpr (IsReply<R>::value) {
    return std::visit([](auto& value) { return to_outcome(std::move(value)); }, result.value_);
  } else if constexpr (std::is_convertible_v<R, Outcome<ToolResult>>) {
    return result;
  } else if constexpr (std::is_same_v<R, Content>) {
    return ToolResult(std::move(result));
  } else if constexpr (std::is_convertible_v<R, std::string_view>) {
    return ToolResult::text(result);
  } else {
    static_assert(schema::Typed<R>, "a handler gives ToolResult, Content, text or a typed value");
    return ToolResult::of(schema::encode(result));
  }
}

namespace detail {

template <typename... A>
struct Parameters {};

/// The parameters of a function or of a lambda that isn't generic.
template <typename F>
struct ParametersOf : ParametersOf<decltype(&F::operator())> {};
template <typename F>
struct ParametersOf<const F> : ParametersOf<F> {};
template <typename R, typename... A>
struct ParametersOf<R (*)(A...)> {
  using Type = Parameters<A...>;
};
template <typename R, typename... A>
struct ParametersOf<R(A...)> : ParametersOf<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct ParametersOf<R (C::*)(A...)> : ParametersOf<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct ParametersOf<R (C::*)(A...) const> : ParametersOf<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct ParametersOf<R (C::*)(A...) noexcept> : ParametersOf<R (*)(A...)> {};
template <typename C, typename R, typename... A>
struct ParametersOf<R (C::*)(A...) const noexcept> : ParametersOf<R (*)(A...)> {};

template <typename A>
inline constexpr bool kIsContext = std::is_same_v<A, Context&> || std::is_same_v<A, BlockingCall&>;
template <typename A, typename In>
inline constexpr bool kIsInput =
    std::is_same_v<std::remove_cvref_t<A>, In> &&
    !(std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>);
/// What is neither is the server's own context, made by its factory.
template <typename A, typename In>
inline constexpr bool kIsOwn =
    std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>> && !kIsContext<A>;

template <typename In>
struct Input {
  In value{};
};
template <>
struct Input<void> {};

template <typename A, typename In>
decltype(auto) argument(Context& context, Input<In>& input) {
  if constexpr (kIsContext<A>) {
    static_assert(std::is_same_v<A, Context&>, "BlockingCall& is for blocking(...) handlers");
    return static_cast<Context&>(context);
  } else if constexpr (kIsOwn<A, In>) {
    return *static_cast<std::remove_reference_t<A>*>(own_context(context));
  } else {
    static_assert(!std::is_void_v<In>,
                  "a handler without a described input takes Context& and its own context alone");
    static_assert(kIsInput<A, In>, "the input is taken by const reference or by value");
    return static_cast<const In&>(input.value);
  }
}

template <typename In, typename F, typename... A>
decltype(auto) invoke(F& function, Context& context, Input<In>& input, Parameters<A...>) {
  return std::invoke(function, argument<A, In>(context, input)...);
}

template <typename In, typename F>
using ResultOf = decltype(invoke<In>(std::declval<F&>(), std::declval<Context&>(),
                                     std::declval<Input<In>&>(), typename ParametersOf<F>::Type{}));

/// The types of the server's own context that a function takes: one at most.
template <typename In, typename... A>
std::optional<std::type_index> own_context_of(Parameters<A...>) {
  std::optional<std::type_index> out;
  [[maybe_unused]] const auto note = [&out]<typename One>(std::type_identity<One>) {
    if constexpr (kIsOwn<One, In>) out = std::type_index(typeid(std::remove_reference_t<One>));
  };
  (note(std::type_identity<A>{}), ...);
  return out;
}

/// The server's own context that a handler of tools, resources or prompts takes beside `Context&`.
template <typename F>
std::optional<std::type_index> own_context_taken() {
  if constexpr (std::is_invocable_v<F&, Context&>) {
    return std::nullopt;
  } else {
    return own_context_of<void>(typename ParametersOf<F>::Type{});
  }
}

/// `function` as a function of `Context&` alone.
template <typename F>
auto with_own_context(F function) {
  if constexpr (std::is_invocable_v<F&, Context&>) {
    return function;
  } else {
    return [function = std::move(function)](Context& context) {
      Input<void> none;
      return invoke<void>(function, context, none, typename ParametersOf<F>::Type{});
    };
  }
}

[[nodiscard]] Outcome<ToolResult> decode_failure(const schema::DecodeError& error);

template <typename In>
std::optional<schema::DecodeError> read_input(Context& context, Input<In>& input) {
  if constexpr (std::is_void_v<In>) {
    return std::nullopt;
  } else {
    return schema::decode(context.arguments(), input.value);
  }
}

template <typename In, typename F>
Task<Outcome<ToolResult>> run_coroutine(const F& function, Context& context) {
  Input<In> input;
  if (const auto error = read_input(context, input)) co_return decode_failure(*error);
  auto task = invoke<In>(function, context, input, typename ParametersOf<F>::Type{});
  auto result = co_await std::move(task);
  co_return to_outcome(std::move(result));
}

template <typename In, typename F>
Handler<ToolResult> make_handler(F function) {
  Handler<ToolResult> handler;
  if constexpr (IsTask<ResultOf<In, const F>>::value) {
    handler.coroutine = [function = std::move(function)](Context& context) {
      return run_coroutine<In, F>(function, context);
    };
  } else {
    handler.plain = [function = std::move(function)](Context& context) -> Outcome<ToolResult> {
      Input<In> input;
      if (const auto error = read_input(context, input)) return decode_failure(*error);
      return to_outcome(invoke<In>(function, context, input, typename ParametersOf<F>::Type{}));
    };
  }
  return handler;
}

/// What a blocking handler works on, past the end of its request if need be.
template <typename In>
struct BlockingWork {
  Input<In> input;
  void* own_context = nullptr;
  std::shared_ptr<const void> kept;
  std::optional<Outcome<ToolResult>> outcome;
  std::exception_ptr thrown;
};

template <typename A, typename In>
decltype(auto) blocking_argument(BlockingCall& call, BlockingWork<In>& work) {
  static_assert(!std::is_same_v<A, Context&>, "a blocking handler takes BlockingCall&");
  if constexpr (std::is_same_v<A, BlockingCall&>) {
    return static_cast<BlockingCall&>(call);
  } else if constexpr (kIsOwn<A, In>) {
    return *static_cast<std::remove_reference_t<A>*>(work.own_context);
  } else {
    static_assert(kIsInput<A, In>, "the input is taken by const reference or by value");
    return static_cast<const In&>(work.input.value);
  }
}

template <typename In, typename F, typename... A>
decltype(auto) invoke_blocking(F& function, BlockingCall& call, BlockingWork<In>& work,
                               Parameters<A...>) {
  return std::invoke(function, blocking_argument<A, In>(call, work)...);
}

template <typename In, typename F>
using BlockingResultOf = decltype(invoke_blocking<In>(
    std::declval<F&>(), std::declval<BlockingCall&>(), std::declval<BlockingWork<In>&>(),
    typename ParametersOf<F>::Type{}));

template <typename In, typename F>
Task<Outcome<ToolResult>> run_blocking(std::shared_ptr<const F> function, Context& context) {
  auto work = std::make_shared<BlockingWork<In>>();
  if (const auto error = read_input(context, work->input)) co_return decode_failure(*error);
  work->own_context = own_context(context);
  work->kept = keep_request(context);
  std::function<void(BlockingCall&)> job = [work, function](BlockingCall& call) {
    try {
      work->outcome =
          to_outcome(invoke_blocking<In>(*function, call, *work, typename ParametersOf<F>::Type{}));
    } catch (...) {  // the handler's: it goes on where the call waits
      work->thrown = std::current_exception();
    }
  };
  BlockingWait wait(context, std::move(job));
  const std::optional<ToolError> refusal = co_await wait;
  if (refusal) co_return refusal->result();
  if (work->thrown) std::rethrow_exception(work->thrown);
  co_return *std::move(work->outcome);
}

template <typename In, typename F>
Handler<ToolResult> make_blocking_handler(F function) {
  Handler<ToolResult> handler;
  handler.coroutine = [function = std::make_shared<const F>(std::move(function))](
                          Context& context) { return run_blocking<In, F>(function, context); };
  return handler;
}

/// The schema of what a handler gives when that is a described struct, else null.
template <typename R>
json::Value output_schema_of() {
  if constexpr (IsTask<R>::value) {
    return output_schema_of<typename IsTask<R>::Result>();
  } else if constexpr (IsExpected<R>::value) {
    if constexpr (std::is_void_v<typename R::value_type>) {
      return {};
    } else {
      return output_schema_of<typename R::value_type>();
    }
  } else if constexpr (IsReply<R>::value) {
    return []<typename T>(std::type_identity<Reply<T>>) {
      return output_schema_of<T>();
    }(std::type_identity<R>{});
  } else if constexpr (schema::Described<R>) {
    static const json::Value kDerived = schema::derive<R>();
    return kDerived;
  } else {
    return {};
  }
}

}  // namespace detail
}  // namespace squall::server
