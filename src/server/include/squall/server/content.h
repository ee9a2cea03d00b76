#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "squall/json/value.h"
#include "squall/json/write.h"
#include "squall/mcp/revision.h"

/// @file What handlers give back: content, results, and the two other ways a call can end.

namespace squall::server {

/// One block of content (text, image, audio, a link to a resource, or a resource itself).
class Content {
 public:
  [[nodiscard]] static Content text(std::string_view text);
  [[nodiscard]] static Content text(std::string&& text);
  [[nodiscard]] static Content text(const char* text) { return Content::text(std::string(text)); }
  /// A text: the JSON of `value`.
  [[nodiscard]] static Content json_text(const json::Value& value);
  /// `bytes` are encoded as base64 here.
  [[nodiscard]] static Content image(std::string_view bytes, std::string_view mime_type);
  [[nodiscard]] static Content audio(std::string_view bytes, std::string_view mime_type);
  [[nodiscard]] static Content text_resource(std::string_view uri, std::string_view mime_type,
                                             std::string_view text);
  [[nodiscard]] static Content blob_resource(std::string_view uri, std::string_view mime_type,
                                             std::string_view bytes);
  /// `more` adds members of a Resource (title, description, mimeType, size, icons).
  [[nodiscard]] static Content resource_link(std::string_view uri, std::string_view name,
                                             json::Value more = {});
  /// `annotations` is an object: audience, priority, lastModified.
  Content& annotate(json::Value annotations);
  Content& meta(json::Value meta);
  /// Appends the block as `revision` knows it, as JSON; kinds that it doesn't know yet become a
  /// text that says what they are.
  void write(std::string& out, mcp::Revision revision) const;
  /// Of a text that is sent again and again: it is written now, and shared by all copies.
  Content& prepare();
  /// Marks the block as words about the data instead of data: budgets leave it as it is.
  Content& as_guidance() {
    guidance_ = true;
    return *this;
  }
  [[nodiscard]] bool is_guidance() const noexcept { return guidance_; }
  [[nodiscard]] bool is_text() const noexcept { return kind_ == Kind::text; }
  /// The text, the base64 data, or a link's URI.
  [[nodiscard]] std::string_view body() const noexcept {
    return prepared_ ? std::string_view(prepared_->text) : std::string_view(text_);
  }
  /// Puts another text into a block of text.
  void set_text(std::string text) {
    text_ = std::move(text);
    is_json_ = false;
    prepared_.reset();
  }
  /// About how many bytes `write` writes.
  [[nodiscard]] std::size_t size() const noexcept { return body().size() + 128; }

 private:
  enum class Kind : std::uint8_t { text, image, audio, text_resource, blob_resource, link };
  struct Prepared {
    std::string text;
    std::string written;  ///< the whole block
  };
  /// What few blocks have.
  struct Rest {
    std::string mime_type{}, uri{};
    json::Value more{}, annotations{}, meta{};
  };
  friend Content data_block(const json::Value& value);
  /// Of JSON as our writer writes it: it is sent without being looked through again.
  [[nodiscard]] static Content written_json(std::string json);
  Content(Kind kind, std::string&& text) : kind_(kind), text_(std::move(text)) {}
  Content(Kind kind, std::string&& text, Rest rest);
  void change_rest(json::Value Rest::* member, json::Value value);
  void write_other(std::string& out, mcp::Revision revision) const;

  Kind kind_;
  bool guidance_ = false;
  bool is_json_ = false;
  std::string text_;                          // the text, the base64 data, or a link's name
  std::shared_ptr<const Prepared> prepared_;  // shared by copies
  std::shared_ptr<const Rest> rest_;          // shared by copies; null: all of it is empty
};

/// What a tool gives back.
struct ToolResult {
  std::vector<Content> content;
  /// Any JSON value; peers before 2026-07-28 get one that is no object wrapped as `{"result": V}`.
  std::optional<json::Value> structured;
  bool is_error = false;
  /// It is a ToolError's: its structured data gives way where an output schema forbids it.
  bool is_envelope = false;
  json::Value meta;  ///< an object, or null

  ToolResult() = default;
  ToolResult(Content block) { content.push_back(std::move(block)); }
  [[nodiscard]] static ToolResult text(std::string_view text);
  /// A failure the model should see and can act on: `isError`.
  [[nodiscard]] static ToolResult error(std::string_view text);
  /// Structured output. Without a text block of the handler's, its JSON is added as one.
  [[nodiscard]] static ToolResult of(json::Value structured);
  ToolResult& add(Content block);
};

struct PromptMessage {
  enum class Role : std::uint8_t { user, assistant };
  Role role = Role::user;
  Content content;
};

/// What a prompt gives back.
struct PromptResult {
  std::string description;
  std::vector<PromptMessage> messages;

  PromptResult& user(Content content);
  PromptResult& assistant(Content content);
};

/// What reading a resource gives back. An empty `uri` stands for the one that was asked for.
struct ResourceContents {
  std::string uri;
  std::string mime_type;
  std::string text;
  std::optional<std::string> blob;  ///< bytes; when set, `text` is not sent
  json::Value meta;

  [[nodiscard]] static ResourceContents of_text(std::string_view mime_type, std::string_view text);
  [[nodiscard]] static ResourceContents of_bytes(std::string_view mime_type,
                                                 std::string_view bytes);
};
struct ResourceResult {
  std::vector<ResourceContents> contents;
  ResourceResult() = default;
  ResourceResult(ResourceContents one) { contents.push_back(std::move(one)); }
};

/// What a completion gives back; at most 100 values are sent.
struct CompletionResult {
  std::vector<std::string> values;
  std::optional<std::int64_t> total;
  std::optional<bool> has_more;
};

/// A JSON-RPC error instead of a result: the request could not be served at all.
struct ProtocolError {
  int code = -32603;
  std::string message;
  json::Value data;  ///< null: none
  ProtocolError(int error_code, std::string text, json::Value more = {})
      : code(error_code), message(std::move(text)), data(std::move(more)) {}
};

/// The call waits for what `Context::ask` has asked for; made by `Context::need_input`.
struct NeedInput {};

/// How a handler ends: with a T, with a need for input, or with a protocol error.
template <typename T>
class Outcome {
 public:
  using Result = T;
  Outcome(T result) : value_(std::move(result)) {}
  Outcome(NeedInput need) : value_(need) {}
  Outcome(ProtocolError error) : value_(std::move(error)) {}

  [[nodiscard]] T* result() { return std::get_if<T>(&value_); }
  [[nodiscard]] bool needs_input() const { return std::holds_alternative<NeedInput>(value_); }
  [[nodiscard]] const ProtocolError* error() const { return std::get_if<ProtocolError>(&value_); }

 private:
  std::variant<T, NeedInput, ProtocolError> value_;
};

}  // namespace squall::server
