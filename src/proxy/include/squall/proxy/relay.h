#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "squall/inject/injector.h"
#include "squall/json/value.h"
#include "squall/recording/recorder.h"

/// @file What a proxy does about each message, without IO: bytes go in, commands come out. Whoever
/// holds the wires carries them out, and tells what happens.

namespace squall::proxy {

using inject::Exchange;

/// What belongs to one client: its connection on stdio, its session over HTTP. Ids and progress
/// tokens are unique in it.
struct Line {
  std::uint64_t connection = 0;
  std::uint64_t process = 0;  ///< of the server behind it; 0: none of ours
  std::string session;
  std::string revision;  ///< learnt from its initialize, or from each message
  /// Other clients share its server: requests get ids of our own, and progress tokens with them.
  bool shared = false;
  fault::Transport transport = fault::Transport::stdio;
  [[nodiscard]] inject::Place place() const {
    return {connection, process, session, revision, transport};
  }
};
using LinePtr = std::shared_ptr<Line>;

/// What arrived from a client.
struct FromClient {
  std::string bytes;             ///< one message; "": an HTTP request without one
  std::string_view http_method;  ///< "" on stdio
  std::span<const inject::Header> headers;
  std::chrono::nanoseconds now{};  ///< since the run began; so everywhere
};

/// What arrived from a server.
struct FromServer {
  std::string bytes;
  Exchange exchange = 0;  ///< whose HTTP reply carried it; 0: told by its id or token, if at all
  std::string_view event_id;
  bool on_stream = false;
  std::chrono::nanoseconds now{};
};

/// What is to be done, in order. Bytes of a `Send` are those for the wire and always there.
struct Actions {
  std::uint64_t in = 0;    ///< the number of what arrived; 0: nothing did
  Exchange exchange = 0;   ///< that it is or belongs to; 0: none
  Exchange cancelled = 0;  ///< the request that the client has just cancelled
  bool answers = false;    ///< a response to a request that is known
  bool untouched = true;   ///< nothing struck: it goes on as it came
  bool unchanged = true;   ///< and so do its bytes, to the last one
  std::vector<inject::Command> commands;
};

struct RelayOptions {
  recording::Recorder* recorder = nullptr;  ///< null: nothing is recorded
  std::string prefix;               ///< in front of the names of tools, as the client sees them
  bool hide_output_schema = false;  ///< lists of tools come without `outputSchema`
  /// Beyond these the oldest are forgotten; what still comes for them belongs to nobody.
  std::size_t pending_max = 100'000;
  std::size_t over_max = 1'000;  ///< cancelled or answered, of which more may come
};

/// For one thread at a time.
class Relay {
 public:
  /// `injector` and the recorder outlive it.
  Relay(inject::Injector& injector, RelayOptions options);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  [[nodiscard]] Actions from_client(const LinePtr& line, FromClient arrival);
  /// `line`: whose server it is, or null where many share it.
  [[nodiscard]] Actions from_server(const LinePtr& line, FromServer arrival);
  [[nodiscard]] Actions opened(inject::Opened::What what, const Line& line, Exchange exchange,
                               std::chrono::nanoseconds now);
  /// A connection, a process or a session is over.
  [[nodiscard]] Actions ended(inject::Ended::What what, const Line& line,
                              std::chrono::nanoseconds now);
  /// Nobody waits for that request any more: over HTTP, the client closed its stream. A server on
  /// stdio is told by a cancellation when `tell` says so.
  [[nodiscard]] Actions gone(Exchange exchange, bool tell, std::chrono::nanoseconds now);
  [[nodiscard]] Actions woken(std::uint64_t token, std::chrono::nanoseconds now);
  /// The kill switch; see Injector.
  [[nodiscard]] Actions set_enabled(bool enabled, std::chrono::nanoseconds now);

  /// A message has been handed on, of actions that were touched.
  void delivered(const inject::Send& send, std::uint64_t in, const Line* line,
                 std::chrono::nanoseconds now);
  /// The line of a request under way, or null.
  [[nodiscard]] LinePtr line_of(Exchange exchange) const;
  [[nodiscard]] std::size_t pending() const noexcept;
  /// Messages of a shared server that belonged to nobody.
  [[nodiscard]] std::uint64_t unclaimed() const noexcept;
  /// What the server said of itself, or null; the SHA-256 of its canonical list of tools (its first
  /// page), or "".
  [[nodiscard]] const json::Value& server_info() const noexcept;
  [[nodiscard]] const std::string& tools_sha256() const noexcept;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace squall::proxy
