#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/runtime/frame_pool.h"

namespace squall::server {

/// How a connection is broken.
enum class Cut : std::uint8_t {
  close,       ///< an orderly end, both directions
  reset,       ///< an abrupt one (RST) where the transport has it
  half_close,  ///< our direction ends; what the peer still sends is read
};

/// The way back for one request, on the request's loop. `Context::around_outlet` puts one around
/// the request's own, to see or change what it sends.
class Outlet {
 public:
  virtual ~Outlet() = default;
  static void* operator new(std::size_t bytes) { return runtime::allocate_pooled(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept {
    runtime::free_pooled(block, bytes);
  }
  /// A message that belongs to the request and comes before its response: a notification, or a
  /// request of ours. `droppable` ones may be lost when the peer doesn't keep up.
  virtual void send(std::string_view message, bool droppable) = 0;
  /// The response doesn't come at once: the peer may be shown that the request is being served.
  virtual void wait() {}
  /// The response, with the status it has over HTTP. Once; nothing comes after it.
  virtual void finish(int status, std::string_view response) = 0;
  /// There will be no response: the request was cancelled.
  virtual void abandon() = 0;
  /// Breaks the connection that carries the request once `last`, the beginning of a response or "",
  /// has left; whatever else it carries is lost with it. Over HTTP a close is a FIN, and what the
  /// peer still sends is read for a moment, as after a half-close.
  virtual void cut(Cut how, std::string_view last) = 0;
  /// Whether `send` can carry a request of ours and its answer can come back.
  [[nodiscard]] virtual bool carries_requests() const = 0;
  /// Whether the peer is so far behind that what it asked to hear had better end. `share` is what
  /// one subscription may keep waiting, in bytes, so that all of them together stay bounded.
  [[nodiscard]] virtual bool choked([[maybe_unused]] std::size_t share) const { return false; }
  /// Lets go of the connection behind a stream that can be resumed.
  virtual void release() {}
};

}  // namespace squall::server
