#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// @file The extension io.modelcontextprotocol/tasks: calls that answer at once with a handle, and
/// go on behind it. A handler turns its call into one with `Context::become_task`.

namespace squall::server {

/// Whether calls of a tool can become tasks.
enum class TaskSupport : std::uint8_t {
  none,
  optional,  ///< where the client declares the extension; else the call runs as any other
  required,  ///< a client that doesn't declare the extension is refused (-32021)
};

/// Bounds of the tasks that an engine keeps. A task counts from its creation until `ttl` is over,
/// whatever became of it: its client may ask for the result as long.
struct TaskOptions {
  std::size_t tasks_max = 1'024;          ///< in all; beyond it calls don't become tasks
  std::size_t tasks_per_owner_max = 256;  ///< of one principal, or of all who have none
  std::size_t bytes_max = 64 << 20;       ///< of results kept; one that doesn't fit is lost
  std::chrono::milliseconds ttl{3'600'000};
  std::chrono::milliseconds poll_interval{1'000};  ///< told to clients
};

}  // namespace squall::server
