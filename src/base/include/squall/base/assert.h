#pragma once

namespace squall::base {

/// Prints the failed condition to stderr and aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace squall::base

/// Stops the process when a bug of ours makes `condition` false. On in every build; one condition
/// each; never for anything the outside world can cause.
#define SQUALL_ASSERT(condition) \
  (static_cast<bool>(condition)  \
       ? static_cast<void>(0)    \
       : ::squall::base::assertion_failed(#condition, __FILE__, __LINE__))
