#pragma once

#include <memory>
#include <string_view>

#include "squall/server/observe/observe.h"

namespace squall::server {

class ServedRequest;

/// Follows one call from its beginning to its end, and tells the observers. Exists only where there
/// are some.
class CallWatch {
 public:
  CallWatch(std::shared_ptr<const Observers> observers, ServedRequest& request,
            std::string_view tool);
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  void note_action(std::string_view action) { facts_.action = action; }
  void note_valid(bool valid);
  void note_wait(runtime::Duration waited, bool admitted);
  /// How the call is going to end; the last word counts, but for a code that was known before.
  void note_ending(Ending ending, std::string_view code = {});
  /// The same of a JSON-RPC error, where nothing was noted before.
  void note_protocol_error(int code);
  /// The call is over: tells everybody, once.
  void finish(std::size_t response_bytes, runtime::TimePoint now);

 private:
  void tell(DebugObserver::Step step, bool good, runtime::Duration took);
  const std::shared_ptr<const Observers> observers_;  // with the engine and its other calls
  const runtime::TimePoint since_;
  CallFacts facts_;
  bool finished_ = false;
};

}  // namespace squall::server
