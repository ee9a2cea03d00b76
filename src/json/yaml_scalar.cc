#include "yaml_scalar.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "scan.h"

namespace squall::json {

namespace {

// Turning digits of another base into decimal ones is quadratic in their number.
constexpr std::size_t kRadixDigitsMax = 256;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

int radix_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

/// `0o17` and `0x1F`: the base and the digits, when `text` is one.
struct Radix {
  int base;
  std::string_view digits;
};
std::optional<Radix> match_radix(std::string_view text) {
  if (!text.starts_with("0o") && !text.starts_with("0x")) return std::nullopt;
  const Radix radix{text[1] == 'o' ? 8 : 16, text.substr(2)};
  const auto fits = [&radix](char c) { return radix_digit(c) < radix.base; };
  if (radix.digits.empty() || !std::ranges::all_of(radix.digits, fits)) return std::nullopt;
  return radix;
}

std::string to_decimal(const Radix& radix) {
  std::vector<std::uint8_t> digits = {0};  // lowest first
  for (const char c : radix.digits) {
    int carry = radix_digit(c);
    for (std::uint8_t& digit : digits) {
      carry += digit * radix.base;
      digit = static_cast<std::uint8_t>(carry % 10);
      carry /= 10;
    }
    for (; carry != 0; carry /= 10) digits.push_back(static_cast<std::uint8_t>(carry % 10));
  }
  std::string text;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    text += static_cast<char>('0' + *digit);
  }
  return text;
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?` rewritten as JSON has it.
std::optional<std::string> match_decimal(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  std::string_view exponent = text.substr(e);
  std::string_view mantissa = without_sign(text.substr(0, e));
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string_view before = mantissa.substr(0, point);
  const std::string_view after = mantissa.substr(std::min(point + 1, mantissa.size()));
  if (before.empty() && after.empty()) return std::nullopt;
  if (!std::ranges::all_of(before, is_digit) || !std::ranges::all_of(after, is_digit)) {
    return std::nullopt;
  }
  if (!exponent.empty()) {
    const std::string_view digits = without_sign(exponent.substr(1));
    if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  }
  before.remove_prefix(std::min(before.find_first_not_of('0'), before.size()));
  std::string json;
  if (text.front() == '-') json += '-';
  json += before.empty() ? "0" : before;
  if (!after.empty()) (json += '.') += after;
  json += exponent;
  return json;
}

std::optional<bool> match_boolean(std::string_view text) {
  if (is_one_of(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE"})) return false;
  return std::nullopt;
}

bool is_null(std::string_view text) { return is_one_of(text, {"", "~", "null", "Null", "NULL"}); }

bool is_not_finite(std::string_view text) {
  return is_one_of(without_sign(text), {".inf", ".Inf", ".INF"}) ||
         is_one_of(text, {".nan", ".NaN", ".NAN"});
}

/// The number, nothing when `text` is none, or why it cannot be had.
std::expected<std::optional<Value>, std::string> match_number(std::string_view text) {
  if (is_not_finite(text)) {
    return std::unexpected<std::string>("infinities and NaN have no JSON value");
  }
  std::optional<std::string> json = match_decimal(text);
  if (const auto radix = match_radix(text)) {
    if (radix->digits.size() > kRadixDigitsMax) {
      return std::unexpected<std::string>("more than 256 octal or hexadecimal digits");
    }
    json = to_decimal(*radix);
  }
  if (!json) return std::optional<Value>();
  return Value::number(*json);
}

}  // namespace

std::expected<Value, std::string> resolve_plain(std::string_view text) {
  if (is_null(text)) return Value();
  if (const auto boolean = match_boolean(text)) return Value(*boolean);
  const auto number = match_number(text);
  if (!number) return std::unexpected(number.error());
  if (number->has_value()) return **number;
  return Value(text);
}

std::expected<Value, std::string> resolve_tagged(std::string_view tag, std::string_view text) {
  if (tag == "str") return Value(text);
  if (tag == "null" && is_null(text)) return Value();
  if (tag == "bool") {
    if (const auto boolean = match_boolean(text)) return Value(*boolean);
  }
  if (tag == "int" || tag == "float") {
    const auto number = match_number(text);
    if (!number) return std::unexpected(number.error());
    const bool whole = !text.empty() && text.find_first_of(".") == std::string_view::npos &&
                       (match_radix(text) || text.find_first_of("eE") == std::string_view::npos);
    if (number->has_value() && (tag == "float" || whole)) return **number;
  }
  return std::unexpected("not what the tag !!" + std::string(tag) + " says");
}

}  // namespace squall::json
