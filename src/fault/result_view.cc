#include "result_view.h"

#include <charconv>
#include <utility>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::fault {

namespace {

// Shorter texts stand in prose too often to mean the value.
constexpr std::size_t kWordBytesMin = 2;

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         byte >= 0x80;
}

/// Whether a word or number goes on at `text[at]`, seen from its end in the given direction.
bool goes_on(std::string_view text, std::size_t at, bool forwards) {
  if (at >= text.size()) return false;
  if (is_word(text[at])) return true;
  // A point or comma between digits belongs to the number.
  if (text[at] != '.' && text[at] != ',') return false;
  const std::size_t next = forwards ? at + 1 : at - 1;
  return next < text.size() && text[next] >= '0' && text[next] <= '9';
}

/// The JSON container that a text is, or nothing.
std::optional<json::Value> parse_container(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) {
    return std::nullopt;
  }
  auto value = json::parse(text);
  if (!value) return std::nullopt;
  return *std::move(value);
}

/// `value` as JSON in the manner of `like`: in lines where that has lines.
std::string in_the_manner_of(std::string_view like, const json::Value& value) {
  return like.find('\n') != std::string_view::npos ? json::to_pretty_string(value)
                                                   : json::to_string(value);
}

}  // namespace

std::string literal(const json::Value& value) {
  return value.is_string() ? std::string(value.string()) : json::to_string(value);
}

std::string replace_words(std::string_view text, std::string_view before, std::string_view after) {
  std::string out;
  if (before.size() < kWordBytesMin) return std::string(text);
  std::size_t done = 0;
  for (std::size_t at = text.find(before); at != std::string_view::npos;
       at = text.find(before, at)) {
    const std::size_t end = at + before.size();
    const bool part = (at > 0 && goes_on(text, at - 1, false)) || goes_on(text, end, true);
    if (!part) {
      out.append(text, done, at - done).append(after);
      done = end;
    }
    at = part ? at + 1 : end;
  }
  return out.append(text.substr(done));
}

json::Value* find_in(json::Value& root, const json::Pointer& pointer) {
  json::Value* at = &root;
  for (const std::string& token : pointer.tokens()) {
    if (at->is_object()) {
      at = at->find(token);
      if (at == nullptr) return nullptr;
      continue;
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool whole = error == std::errc() && end == token.data() + token.size();
    if (!whole || index >= at->items().size()) return nullptr;
    at = &at->items()[index];
  }
  return at;
}

ResultView::ResultView(json::Value result) : result_(std::move(result)) {
  const json::Value* structured = result_.find("structuredContent");
  structured_ = structured != nullptr && (structured->is_object() || structured->is_array());
  for (std::size_t i = 0; !structured_ && !text_tells_ && i < block_count(); ++i) {
    const auto block = text(i);
    auto value = block ? parse_container(*block) : std::nullopt;
    if (!value) continue;
    of_text_ = *std::move(value);
    text_tells_ = true;
  }
}

const json::Value* ResultView::told() const noexcept {
  if (structured_) return result_.find("structuredContent");
  return text_tells_ ? &of_text_ : nullptr;
}

std::size_t ResultView::block_count() const noexcept {
  const json::Value* content = result_.find("content");
  return content == nullptr ? 0 : content->items().size();
}

std::optional<std::string_view> ResultView::text(std::size_t block) const {
  return result_.find("content")->items()[block].find_string("text");
}

void ResultView::set_text(std::size_t block, std::string text) {
  result_.find("content")->items()[block].set("text", text);
}

void ResultView::replace_in_text(std::size_t block, const json::Pointer& pointer,
                                 const json::Value& before, const json::Value& after) {
  const auto old = text(block);
  if (!old) return;
  if (auto value = parse_container(*old)) {
    json::Value* at = find_in(*value, pointer);
    if (at == nullptr || *at != before) return;
    // Where the value is the only one of its kind, the rest of the text stays as it was written.
    const std::string was = json::to_string(before);
    const std::size_t first = old->find(was);
    const bool once = first != std::string_view::npos && was.size() >= kWordBytesMin &&
                      old->find(was, first + 1) == std::string_view::npos;
    *at = after;
    std::string spliced = once ? replace_words(*old, was, json::to_string(after)) : std::string();
    const auto check = once ? json::parse(spliced) : std::unexpected(json::ParseError{});
    set_text(block,
             check && *check == *value ? std::move(spliced) : in_the_manner_of(*old, *value));
    return;
  }
  set_text(block, replace_words(*old, literal(before), literal(after)));
}

void ResultView::replace(const json::Pointer& pointer, const json::Value& value) {
  json::Value& root = structured_ ? *result_.find("structuredContent") : of_text_;
  json::Value* at = find_in(root, pointer);
  if (at == nullptr) return;
  const json::Value before = std::exchange(*at, value);
  for (std::size_t i = 0; i < block_count(); ++i) replace_in_text(i, pointer, before, value);
}

void ResultView::replace_all(json::Value value) {
  const json::Value before = *told();
  for (std::size_t i = 0; i < block_count(); ++i) {
    const auto old = text(i);
    const auto parsed = old ? parse_container(*old) : std::nullopt;
    if (parsed && *parsed == before) set_text(i, in_the_manner_of(*old, value));
  }
  if (structured_) {
    result_.set("structuredContent", std::move(value));
  } else {
    of_text_ = std::move(value);
  }
}

void ResultView::drop_structured() {
  result_.erase("structuredContent");
  structured_ = false;
}

}  // namespace squall::fault
