#include "logging.h"

#include <exception>

#include "request.h"
#include "session.h"

namespace squall::server {

namespace {

constexpr std::size_t kExcerptBytesMax = 32;
/// A session's id is its key, so no more of it is shown than tells sessions apart.
constexpr std::size_t kSessionBytesShown = 8;

/// What a request is about, by name: never its arguments.
std::string_view target_of(const ServedRequest& request) {
  for (const char* member : {"name", "uri"}) {
    if (const auto text = request.params().find_string(member)) return *text;
  }
  return {};
}

std::int64_t count_of(std::size_t bytes) { return static_cast<std::int64_t>(bytes); }

/// The text of the exception being handled.
std::string what_is_thrown() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
  }
  return "no std::exception";
}

}  // namespace

std::string excerpt_of(const Engine& engine, std::string_view text) {
  if (log_of(engine, Severity::warning) == nullptr) return {};
  return std::string(text.substr(0, kExcerptBytesMax));
}

void log_bad_message(const Engine& engine, std::string_view why, std::size_t bytes,
                     std::string_view excerpt) {
  if (Log* log = log_of(engine, Severity::warning)) {
    log->write(Severity::warning, "bad_message",
               {{"why", why}, {"bytes", count_of(bytes)}, {"begins", excerpt}});
  }
}

void log_refused(const Engine& engine, Severity severity, std::string_view why,
                 std::string_view value) {
  if (Log* log = log_of(engine, severity)) {
    log->write(severity, "refused", {{"why", why}, {"value", value}});
  }
}

void log_exception(ServedRequest& request, std::string_view target) noexcept {
  if (Log* log = log_of(request.engine(), Severity::error)) {
    log->write(Severity::error, "handler_exception",
               {{"method", request.method()}, {"target", target}, {"what", what_is_thrown()}});
  }
}

void log_session(const Engine& engine, const Session& session, std::string_view event) {
  if (Log* log = log_of(engine, Severity::info)) {
    const std::string_view id =
        session.id.empty() ? "stdio" : std::string_view(session.id).substr(0, kSessionBytesShown);
    log->write(Severity::info, event,
               {{"session", id}, {"revision", mcp::to_text(session.revision)}});
  }
}

void log_request(ServedRequest& request) {
  if (Log* log = log_of(request.engine(), Severity::debug)) {
    log->write(Severity::debug, "request",
               {{"method", request.method()},
                {"id", request.id().json()},
                {"target", target_of(request)},
                {"revision", mcp::to_text(request.revision())}});
  }
}

void log_response(ServedRequest& request, int error, std::size_t bytes) {
  if (Log* log = log_of(request.engine(), Severity::debug)) {
    log->write(Severity::debug, "response",
               {{"method", request.method()},
                {"id", request.id().json()},
                {"error", error},
                {"bytes", count_of(bytes)}});
  }
}

void log_cancelled(ServedRequest& request) {
  if (Log* log = log_of(request.engine(), Severity::debug)) {
    log->write(Severity::debug, "cancelled",
               {{"method", request.method()}, {"id", request.id().json()}});
  }
}

void log_sent(ServedRequest& request, std::size_t bytes) {
  if (Log* log = log_of(request.engine(), Severity::debug)) {
    log->write(Severity::debug, "sent", {{"id", request.id().json()}, {"bytes", count_of(bytes)}});
  }
}

void log_one_way(const Engine& engine, const jsonrpc::Message& message) {
  if (Log* log = log_of(engine, Severity::debug)) {
    const bool told = message.kind == jsonrpc::MessageKind::notification;
    log->write(Severity::debug, told ? "notification" : "answer",
               {{"method", message.method}, {"id", message.id.json()}});
  }
}

}  // namespace squall::server
