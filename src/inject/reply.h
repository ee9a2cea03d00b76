#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "squall/json/value.h"
#include "squall/jsonrpc/message.h"

/// @file Messages taken apart and put together again by faults.

namespace squall::inject {

/// What the bytes say, with duplicate names kept; nothing when they are no JSON object.
[[nodiscard]] std::optional<json::Value> parse_message(std::string_view bytes);

/// `message` as text, with blanks behind `:` and `,` where `like` has them: nothing on the wire
/// gives away that somebody wrote it anew.
[[nodiscard]] std::string write_like(std::string_view like, const json::Value& message);

/// The same message with another result in place of its result or error.
[[nodiscard]] std::string with_result(std::string_view bytes, json::Value result);

[[nodiscard]] std::string make_result(const jsonrpc::Id& id, const json::Value& result);
[[nodiscard]] std::string make_error(const jsonrpc::Id& id, std::int64_t code,
                                     std::string_view message, const json::Value* data = nullptr);
[[nodiscard]] std::string make_notification(std::string_view method, const json::Value& params);
[[nodiscard]] std::string make_request(const jsonrpc::Id& id, std::string_view method,
                                       const json::Value& params);

/// A result of a tool with one text block.
[[nodiscard]] json::Value text_result(std::string_view text, bool is_error);

/// `{"type":"text","text":TEXT}`
[[nodiscard]] json::Value text_block(std::string_view text);

/// Writes `message` with `raw` in place of the string `kRawMark`, whatever `raw` is.
[[nodiscard]] std::string write_with_raw(std::string_view like, const json::Value& message,
                                         std::string_view raw);
inline constexpr std::string_view kRawMark = "\x01squall\x01raw\x01";

}  // namespace squall::inject
