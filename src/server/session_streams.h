#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "squall/mcp/revision.h"
#include "squall/runtime/loop.h"
#include "squall/server/engine.h"
#include "squall/transport/http.h"

namespace squall::server {

/// The SSE streams of one legacy session: the standalone one that GET opens, and with resumption
/// those that POSTs began. A stream outlives its connections: events are kept within bounds, and a
/// GET with Last-Event-ID goes on where the client stopped. Safe to use from any loop.
class SessionStreams {
 public:
  static constexpr std::uint64_t kStandalone = 0;

  SessionStreams(const ResumeOptions& options, mcp::Revision revision)
      : options_(options), revision_(revision) {
    streams_.try_emplace(kStandalone);
  }

  [[nodiscard]] bool resumable() const noexcept { return options_.enabled; }
  /// Sends a whole POST-born stream whose one message is there already, and keeps that message.
  void answer(const std::shared_ptr<transport::HttpExchange>& exchange,
              const transport::HttpReply& head, std::string_view message);
  /// Begins a POST-born stream on `exchange`: sends the head and, to clients that know what it is,
  /// the priming event.
  [[nodiscard]] std::uint64_t open(const std::shared_ptr<transport::HttpExchange>& exchange,
                                   const transport::HttpReply& head);
  /// Puts the standalone stream on `exchange`; a connection that had it before is ended.
  void attach_standalone(const std::shared_ptr<transport::HttpExchange>& exchange,
                         const transport::HttpReply& head);
  /// Puts the stream that `last_event_id` belongs to on `exchange`, from the event after it on.
  /// False when there is no such stream (any more).
  [[nodiscard]] bool resume(std::string_view last_event_id,
                            const std::shared_ptr<transport::HttpExchange>& exchange,
                            const transport::HttpReply& head);
  /// Sends `message` on a stream; `last` ends it. `here` is the loop of the caller when all
  /// messages of the stream come from it, else null.
  void publish(std::uint64_t stream, std::string_view message, runtime::Loop* here, bool last);
  /// Ends a stream without a further message.
  void close(std::uint64_t stream);
  /// Ends a stream by breaking its connection, behind the beginning of an event or "".
  void cut(std::uint64_t stream, std::string_view begun, bool reset);
  /// Lets go of a stream's connection, which ends; the stream goes on.
  void release(std::uint64_t stream);
  /// The connection of a stream has gone.
  void detach(const transport::HttpExchange* exchange);
  /// Ends the standalone stream; calls under way may finish on theirs.
  void end_standalone();
  /// Ends every stream.
  void end();

 private:
  struct Event {
    std::uint64_t stream;
    std::uint64_t number;
    runtime::TimePoint time;
    std::string frame;
  };
  using Exchange = std::shared_ptr<transport::HttpExchange>;  // null while nobody listens
  /// Streams that go on. One that is done is known by the events that are kept of it.
  using Streams = std::map<std::uint64_t, Exchange>;
  void append_priming_event(std::string& out, std::uint64_t stream);
  void append_event(std::string& out, std::uint64_t stream, std::string_view message);
  void keep(std::uint64_t stream, std::string frame, runtime::TimePoint now);
  void end_without_event(Streams::iterator stream);
  void trim(runtime::TimePoint now);
  [[nodiscard]] runtime::TimePoint time_of_newest() const;

  const ResumeOptions options_;
  const mcp::Revision revision_;
  std::mutex mutex_;
  Streams streams_;
  std::list<Event> events_;  // a deque would cost an idle session 600 bytes
  std::size_t event_bytes_ = 0;
  std::uint64_t next_stream_ = 1;
  std::uint64_t next_event_ = 1;
};

}  // namespace squall::server
