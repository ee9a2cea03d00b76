#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "squall/server/registry.h"

/// @file The tools of `squall serve` that break their own call, on purpose and no other: a client
/// under test calls one and shows what it does about it.

namespace squall::inject {

/// One finding of `protocol_ping_liveness`. The views live as long as the call.
struct LivenessEvent {
  std::string_view request_id;  ///< as JSON text
  std::string_view ping;        ///< success, unsupported, timeout, invalid_response
  /// retained, closure_requested (before the closure), closed or close_failed (after it),
  /// closure_unavailable
  std::string_view transport;
};

/// Takes the findings, from any loop, also those that the closure keeps from the client.
class LivenessRecorder {
 public:
  virtual ~LivenessRecorder() = default;
  virtual void record(const LivenessEvent& event) = 0;
};

/// Records each as one line of JSON on `descriptor`, which stays open for as long as it lives.
[[nodiscard]] std::shared_ptr<LivenessRecorder> make_liveness_log(int descriptor);

/// How many faults of one kind may be armed at once; calls beyond that are tool errors.
inline constexpr std::size_t kArmedMax = 128;

struct FaultToolOptions {
  enum class Transport : std::uint8_t { stdio, http, in_process };
  Transport transport = Transport::in_process;
  std::shared_ptr<LivenessRecorder> recorder;  ///< null: nobody wants to know
  /// Ends the process with a code; null where there is none that may end.
  std::function<void(int code)> exit_process;
};

/// Adds ping, protocol_ping_liveness, delay, hang, disconnect, malformed_message,
/// duplicate_response, response_after_cancellation (where a cancelled call can still be answered)
/// and session_loss (over HTTP, in sessions).
///
/// A fault belongs to the call that asks for it, strikes once, and is gone with the call however
/// that ends; other calls never meet it.
void add_fault_tools(server::Registry& registry, const FaultToolOptions& options);

}  // namespace squall::inject
