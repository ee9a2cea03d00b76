#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "squall/json/parse.h"
#include "squall/json/value.h"
#include "squall/runtime/process.h"

/// @file How a request ends. Every way it can end is a value; nothing here throws.

namespace squall::client {

/// Why a request got no response.
struct Loss {
  enum class Cause : std::uint8_t {
    not_connected,  ///< there is no connection: `connect` has failed, or `close` was called
    connect,        ///< the server can't be reached
    ended,          ///< the peer ended its stream, or a reply ended without the response
    reset,          ///< the connection broke
    child_exited,   ///< the server was a child process and is over; see `exit`
    http_status,    ///< an HTTP status that carries no response; see `status`
    session,        ///< the server doesn't know our session any more
    unauthorized,   ///< credentials are missing, refused, or could not be had
    local,          ///< a limit or policy of ours
  };
  Cause cause = Cause::ended;
  std::string detail{};                       ///< one line for a person
  int status = 0;                             ///< the HTTP status, or 0
  std::optional<runtime::ExitStatus> exit{};  ///< of a child
  std::string stderr_tail{};                  ///< the last lines a child wrote there
  /// Whether the server may have begun on the request. False only where that is certain.
  bool may_have_run = false;
  std::optional<std::int64_t> retry_after_ms{};  ///< what the server asked for
};

/// How a request ended, in one word.
enum class OutcomeKind : std::uint8_t {
  success,
  tool_error,      ///< the tool ran and says that it failed (`isError`)
  protocol_error,  ///< the server answered with a JSON-RPC error
  timeout,         ///< our deadline passed; the server was told to stop
  cancelled,       ///< we asked to stop
  lost,            ///< no response can come any more
  invalid,         ///< the response breaks the protocol, its schema, or a limit of ours
};
[[nodiscard]] std::string_view to_text(OutcomeKind kind) noexcept;  ///< "protocol_error"

/// Why there is no result.
struct Failure {
  OutcomeKind kind = OutcomeKind::invalid;  ///< neither success nor tool_error
  std::string message{};                    ///< a sentence for a person, without secrets
  int code = 0;                             ///< of a protocol error
  json::Value data{};                       ///< of a protocol error; null when it has none
  Loss loss{};                              ///< of a loss
  /// Whether the server may have acted on the request, although we have no result.
  [[nodiscard]] bool may_have_run() const noexcept;
};

template <typename T>
using Outcome = std::expected<T, Failure>;

/// A result, and the memory it stands in, which copies share.
class Answer {
 public:
  Answer(json::Document document, const json::Value& result)
      : document_(std::make_shared<json::Document>(std::move(document))), result_(&result) {}
  /// A part of another answer.
  Answer(const Answer& whole, const json::Value& part)
      : document_(whole.document_), result_(&part) {}
  /// The `result` object, as the server wrote it.
  [[nodiscard]] const json::Value& json() const noexcept { return *result_; }
  /// Bytes of the whole response.
  [[nodiscard]] std::size_t size() const noexcept { return document_->text().size(); }

 private:
  std::shared_ptr<const json::Document> document_;  // shared by the copies; it never changes
  const json::Value* result_;                       // into the document
};

/// What a tool answered.
class ToolResult : public Answer {
 public:
  explicit ToolResult(Answer answer) : Answer(std::move(answer)) {}
  [[nodiscard]] bool is_error() const noexcept;
  /// The text blocks, one below the other.
  [[nodiscard]] std::string text() const;
  /// `structuredContent`, or null when there is none (JSON null is a value of its own).
  [[nodiscard]] const json::Value* structured() const noexcept;
};

[[nodiscard]] OutcomeKind kind_of(const Outcome<ToolResult>& outcome) noexcept;
template <typename T>
[[nodiscard]] OutcomeKind kind_of(const Outcome<T>& outcome) noexcept {
  return outcome.has_value() ? OutcomeKind::success : outcome.error().kind;
}

}  // namespace squall::client
