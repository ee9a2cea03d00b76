#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// @file Everything that passes between client and server, for `--raw`, recorders and verdicts.

namespace squall::client {

/// Something worth telling that is no outcome: what a peer did wrong, or what we did about it.
struct Report {
  enum class Kind : std::uint8_t {
    malformed,           ///< bytes that are no JSON-RPC message, an array included
    oversize,            ///< a message beyond our limit, skipped
    late_response,       ///< to a request that was cancelled or had timed out
    duplicate_response,  ///< to a request that has been answered
    unknown_response,    ///< to a request that was never sent
    wrong_id_type,       ///< "5" where 5 was asked
    error_without_id,    ///< an error that names no request
    stray_progress,      ///< for no token of ours
    stray_request,       ///< a request from a server that may send none
    stray_notification,  ///< a notification of a subscription that doesn't exist, or out of order
    bad_cursor,          ///< a list whose cursors go round, or on for ever
    dropped_entry,       ///< a list entry that can't be used, and was left out
    bad_schema,          ///< an outputSchema that doesn't compile: results go unchecked
    bad_answer,          ///< content of ours that doesn't fit the form it is for: not sent
    bad_result,          ///< a result that lacks what its revision demands, taken all the same
    era,                 ///< which era was chosen, and why
    reconnecting,        ///< a stream ended early and is fetched again
    stream_refused,      ///< the server offers no stream to listen on
    session_lost,        ///< and what is done about it
    retrying,            ///< a request is sent again
  };
  Kind kind = Kind::malformed;
  std::string text;  ///< one line, at most 500 bytes; foreign bytes escaped
};
[[nodiscard]] std::string_view to_text(Report::Kind kind) noexcept;  ///< "late_response"

/// Sees each message both ways, before it is acted on. Called on the loop, from within the client:
/// it must neither destroy the client nor call it.
class Observer {
 public:
  /// A message as it leaves: JSON text.
  virtual void on_sent(std::string_view message) { static_cast<void>(message); }
  /// A message as it came: a line, an event's data, a body; malformed ones too.
  virtual void on_received(std::string_view message) { static_cast<void>(message); }
  virtual void on_report(const Report& report) { static_cast<void>(report); }
  /// An HTTP exchange began to be answered: "POST", 200.
  virtual void on_http(std::string_view method, int status) {
    static_cast<void>(method);
    static_cast<void>(status);
  }

 protected:
  ~Observer() = default;
};

}  // namespace squall::client
