#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

namespace squall::json {

/// A JSON pointer (RFC 6901), parsed: the path from a value to one inside it.
class Pointer {
 public:
  Pointer() = default;  ///< the whole document
  /// "" or "/a/b~1c/0". Refuses anything else, and "~" without 0 or 1 behind it.
  [[nodiscard]] static Result<Pointer> parse(std::string_view text);
  [[nodiscard]] const std::vector<std::string>& tokens() const noexcept { return tokens_; }
  /// What it points at in `root`, or null. Array tokens are digits without leading zeros.
  [[nodiscard]] const Value* find(const Value& root) const noexcept;
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> tokens_;
};

/// Appends "/" and the escaped token.
void append_pointer_token(std::string& pointer, std::string_view token);

}  // namespace squall::json
