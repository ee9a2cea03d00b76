#include "squall/json/parse.h"

#include <utility>

#include "parser.h"

namespace squall::json {

void ParseError::locate(std::string_view source) noexcept {
  line = 1;
  column = 1;
  const std::size_t stop = offset < source.size() ? offset : source.size();
  for (std::size_t i = 0; i < stop; ++i) {
    const char c = source[i];
    if (c == '\n' || c == '\r') {
      // CR LF is one end of line, counted at its LF.
      if (c == '\r' && i + 1 < source.size() && source[i + 1] == '\n') continue;
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column;
    }
  }
}

std::string ParseError::text() const {
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

Error ParseError::to_error() const {
  return {reason == Reason::limit ? ErrorKind::limit : ErrorKind::invalid, text()};
}

std::expected<Value, ParseError> parse(std::string_view text, const ParseOptions& options) {
  ParserMemory memory;
  Parser parser(text, options, memory);
  Value root;
  if (!parser.run(root)) return std::unexpected(parser.error());
  return Value(std::as_const(root));  // a copy, since the values of `root` die with `memory`
}

struct Document::State {
  std::string kept;
  std::string_view text;
  ParserMemory memory;
  Value root;

  std::expected<void, ParseError> parse(const ParseOptions& options) {
    root = Value();
    memory.reset();
    Parser parser(text, options, memory);
    const bool read = parser.run(root);
    memory.drop_scratch();
    if (!read) return std::unexpected(parser.error());
    return {};
  }
};

Document::Document() : state_(std::make_unique<State>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

std::expected<void, ParseError> Document::parse(std::string text, const ParseOptions& options) {
  if (state_ == nullptr) state_ = std::make_unique<State>();
  state_->kept = std::move(text);
  state_->text = state_->kept;
  return state_->parse(options);
}

std::expected<void, ParseError> Document::parse_borrowed(std::string_view text,
                                                         const ParseOptions& options) {
  if (state_ == nullptr) state_ = std::make_unique<State>();
  state_->kept = std::string();
  state_->text = text;
  return state_->parse(options);
}

const Value& Document::root() const noexcept {
  static const Value null;
  return state_ != nullptr ? state_->root : null;
}

std::size_t Document::memory() const noexcept {
  return state_ != nullptr ? state_->kept.capacity() + state_->memory.bytes() : 0;
}

std::string_view Document::text() const noexcept {
  return state_ != nullptr ? state_->text : std::string_view();
}

}  // namespace squall::json
