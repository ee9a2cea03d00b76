#pragma once

#include <string_view>

#include "squall/jsonrpc/message.h"
#include "squall/server/engine.h"
#include "squall/server/log.h"

/// @file What the engine and its endpoints log, in one place. All of it costs a branch when there
/// is no log.

namespace squall::server {

class ServedRequest;
class Session;

/// The engine's log when it takes entries of `severity`, else null.
[[nodiscard]] inline Log* log_of(const Engine& engine, Severity severity) noexcept {
  Log* const log = engine.options().log.get();
  return log != nullptr && log->wants(severity) ? log : nullptr;
}

/// The beginning of a peer's text, kept because reading the text takes it; "" when nobody would
/// see it.
[[nodiscard]] std::string excerpt_of(const Engine& engine, std::string_view text);
/// Text from a peer that is no message: how long it is and how it begins.
[[gnu::cold]] void log_bad_message(const Engine& engine, std::string_view why, std::size_t bytes,
                                   std::string_view excerpt);
/// A request that breaks the rules of HTTP, or of who may talk to us. `value` is what was wrong.
void log_refused(const Engine& engine, Severity severity, std::string_view why,
                 std::string_view value);
/// The exception being handled, which the peer doesn't get to see.
void log_exception(ServedRequest& request, std::string_view target) noexcept;
/// "session_opened" or "session_ended".
void log_session(const Engine& engine, const Session& session, std::string_view event);
void log_request(ServedRequest& request);
/// `error` is 0 for a result.
void log_response(ServedRequest& request, int error, std::size_t bytes);
void log_cancelled(ServedRequest& request);
/// What we send before a response.
void log_sent(ServedRequest& request, std::size_t bytes);
/// A notification or a response from a client.
void log_one_way(const Engine& engine, const jsonrpc::Message& message);

}  // namespace squall::server
