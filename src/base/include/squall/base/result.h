#pragma once

#include <expected>
#include <string>
#include <utility>

/// @file Errors the outside world can cause, as values. Nothing in Squall throws one.

namespace squall {

/// What a caller can act on. Everything else about an error is its message.
enum class ErrorKind {
  invalid,      ///< the input breaks a rule of its format or protocol
  limit,        ///< the input is larger, deeper or more numerous than allowed
  not_found,    ///< the named thing does not exist
  unavailable,  ///< a peer, port, file or child cannot be reached or is gone
  timeout,      ///< the time given ran out
  cancelled,    ///< the caller asked to stop
  internal,     ///< our own machinery failed (out of descriptors, a foreign exception)
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
};

template <typename T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorKind::invalid, "why");` in any function that returns a Result.
[[nodiscard]] inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected<Error>(Error{kind, std::move(message)});
}

}  // namespace squall

#define SQUALL_CONCAT_INNER(a, b) a##b
#define SQUALL_CONCAT(a, b) SQUALL_CONCAT_INNER(a, b)

/// `SQUALL_TRY(const Value v, parse(text));` declares `v` or returns the error from this function.
#define SQUALL_TRY(declaration, expression) \
  SQUALL_TRY_INNER(SQUALL_CONCAT(squall_try_, __LINE__), declaration, expression)
#define SQUALL_TRY_INNER(name, declaration, expression)                                    \
  auto name = (expression);                                                                \
  if (!name.has_value()) return std::unexpected<::squall::Error>(std::move(name).error()); \
  declaration = *std::move(name)

/// `SQUALL_CHECK(validate(x));` returns the error of a Result<void> from this function.
#define SQUALL_CHECK(expression)                                                 \
  do {                                                                           \
    if (auto squall_check_ = (expression); !squall_check_.has_value())           \
      return std::unexpected<::squall::Error>(std::move(squall_check_).error()); \
  } while (false)
