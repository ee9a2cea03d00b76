#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "squall/json/value.h"
#include "squall/json/write.h"

/// @file JSON-RPC 2.0 messages as MCP uses them: what a parsed value is, and the frames we write.

namespace squall::jsonrpc {

namespace code {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
}  // namespace code

/// Longer ids are refused: each is held, compared and echoed.
inline constexpr std::size_t kIdBytesMax = 16 << 10;

/// A request id as its JSON text: `7` and `"7"` differ, and both go back as they came. Empty when
/// there is none; written as `null` then.
class Id {
 public:
  Id() = default;
  explicit Id(std::int64_t number) : text_(std::to_string(number)) {}
  /// A string or an integer; anything else gives an empty Id.
  [[nodiscard]] static Id from(const json::Value& value);
  [[nodiscard]] static Id string(std::string_view text);
  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  [[nodiscard]] std::string_view json() const noexcept {
    return text_.empty() ? std::string_view("null") : std::string_view(text_);
  }
  friend bool operator==(const Id&, const Id&) = default;
  friend auto operator<=>(const Id&, const Id&) = default;

 private:
  std::string text_;
};

enum class MessageKind : std::uint8_t { request, notification, result, error };

/// A view of one message; points into the value it was read from.
struct Message {
  MessageKind kind = MessageKind::request;
  Id id;                                 ///< empty for notifications
  std::string_view method;               ///< of requests and notifications
  const json::Value* params = nullptr;   ///< an object, or null when absent
  const json::Value* outcome = nullptr;  ///< the `result` or `error` of a response
};

/// Why a value is no message, ready to be answered.
struct BadMessage {
  int code = code::kInvalidRequest;
  std::string message;
  Id id;  ///< of the offending value, when it could be read and is no response
};

/// Reads one message. An id is a string or an integer, never null; `params` is an object. Members
/// that JSON-RPC doesn't know are ignored.
[[nodiscard]] std::expected<Message, BadMessage> read_message(const json::Value& value);

/// Appends `{"jsonrpc":"2.0","id":ID,"error":{"code":...,"message":...[,"data":...]}}`.
void write_error(std::string& out, const Id& id, int code, std::string_view message,
                 const json::Value* data = nullptr);
/// Appends the same for a result whose members are JSON text: `"a":1,"b":2` without braces.
void write_result(std::string& out, const Id& id, std::string_view members);
/// The same in two steps, for members that are written straight into `out` between them.
void begin_result(std::string& out, const Id& id);
void end_result(std::string& out);
/// The member `"result":...` or `"error":...` of a response to `id` that the above have written;
/// "" of another text.
[[nodiscard]] std::string_view outcome_member(std::string_view response, const Id& id);
/// Appends a notification, or a request when `id` isn't empty. `params` is JSON text or "".
void write_call(std::string& out, const Id& id, std::string_view method, std::string_view params);

}  // namespace squall::jsonrpc
