#include "squall/json/pointer.h"

#include <charconv>
#include <optional>

namespace squall::json {

namespace {

std::optional<std::size_t> to_index(std::string_view token) noexcept {
  if (token.size() > 1 && token.front() == '0') return std::nullopt;
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, index);
  if (error != std::errc() || stop != end) return std::nullopt;
  return index;
}

const Value* step(const Value& value, std::string_view token) noexcept {
  if (value.is_object()) return value.find(token);
  if (!value.is_array()) return nullptr;
  const auto index = to_index(token);
  return index && *index < value.size() ? &value.items()[*index] : nullptr;
}

}  // namespace

Result<Pointer> Pointer::parse(std::string_view text) {
  Pointer pointer;
  if (text.empty()) return pointer;
  if (text.front() != '/') {
    return fail(ErrorKind::invalid, "a JSON pointer is empty or starts with '/'");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      pointer.tokens_.emplace_back();
    } else if (text[i] != '~') {
      pointer.tokens_.back() += text[i];
    } else if (i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1')) {
      pointer.tokens_.back() += text[++i] == '0' ? '~' : '/';
    } else {
      return fail(ErrorKind::invalid, "'~' in a JSON pointer needs 0 or 1 behind it");
    }
  }
  return pointer;
}

const Value* Pointer::find(const Value& root) const noexcept {
  const Value* value = &root;
  for (const std::string& token : tokens_) {
    value = step(*value, token);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string Pointer::text() const {
  std::string out;
  for (const std::string& token : tokens_) append_pointer_token(out, token);
  return out;
}

void append_pointer_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

}  // namespace squall::json
