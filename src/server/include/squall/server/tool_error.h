#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/server/content.h"

namespace squall::server {

/// How bad a tool error is. All but `warning` set `isError`.
enum class Gravity : std::uint8_t { warning, error, critical };

/// A failure that the calling model should see and can act on. Every error that the engine makes of
/// a call has this one shape: a text of tags, and the same as structured data.
///
/// ```
/// return tool_error("NOT_FOUND", "no invoice INV-7").recovery("List invoices first.")
///     .action("list_invoices");
/// ```
/// Handlers return one or throw one; either arrives unchanged. All text is escaped here.
class ToolError {
 public:
  /// `code` is upper case with underscores: "NOT_FOUND", "FORBIDDEN", or one of your own.
  ToolError(std::string_view code, std::string_view message) : code_(code), message_(message) {}

  ToolError& gravity(Gravity gravity) {
    gravity_ = gravity;
    return *this;
  }
  /// What the caller can do about it.
  ToolError& recovery(std::string_view text) {
    recovery_ = text;
    return *this;
  }
  /// What is wrong with one argument. `pointer` is its JSON pointer.
  ToolError& field(std::string_view pointer, std::string_view problem) {
    fields_.emplace_back(pointer, problem);
    return *this;
  }
  /// An action that may be called instead.
  ToolError& action(std::string_view name) {
    actions_.emplace_back(name);
    return *this;
  }
  ToolError& detail(std::string_view name, json::Value value) {
    details_.set(name, std::move(value));
    return *this;
  }
  ToolError& retry_after(std::chrono::milliseconds delay) {
    retry_after_ = delay;
    return *this;
  }

  [[nodiscard]] const std::string& code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry_delay() const noexcept {
    return retry_after_;
  }
  /// `<tool_error code="..." severity="..."><message>...`
  [[nodiscard]] std::string text() const;
  /// `{"error": {"code": ..., "severity": ..., "message": ..., ...}}`
  [[nodiscard]] json::Value structured() const;
  [[nodiscard]] ToolResult result() const;
  operator ToolResult() const { return result(); }
  operator Outcome<ToolResult>() const { return result(); }

 private:
  std::string code_, message_, recovery_;
  Gravity gravity_ = Gravity::error;
  std::vector<std::pair<std::string, std::string>> fields_;
  std::vector<std::string> actions_;
  json::Value details_;
  std::optional<std::chrono::milliseconds> retry_after_;
};

[[nodiscard]] inline ToolError tool_error(std::string_view code, std::string_view message) {
  return {code, message};
}

/// What a caller may know of an Error: its message, but for internal ones, which only say that.
[[nodiscard]] ToolError to_tool_error(const Error& error);
/// What is told when something of the server's own failed; the reason is for the log.
[[nodiscard]] ToolError internal_error();

/// Where text goes: between tags, or between the quotes of an attribute.
enum class Escape : std::uint8_t { content, attribute };
/// Appends `text` so that it can neither end nor begin a tag (nor, there, the attribute); control
/// characters but for line breaks and tabs become U+FFFD.
void append_escaped(std::string& out, std::string_view text, Escape escape = Escape::content);

}  // namespace squall::server
