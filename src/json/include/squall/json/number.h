#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace squall::json {

/// A number taken apart without loss: sign, significant digits, exponent of the last digit.
///
/// Views the text it came from. The digits have no leading zeros; trailing zeros are counted in
/// `exponent`. Zero has no digits and exponent 0. An exponent of more than 18 digits, as written or
/// of the last digit, is an `exponent_overflow`; one that is too long as written also saturates.
struct Decimal {
  bool negative = false;
  /// The digits may be split by a decimal point: first the ones before it, then those after.
  std::string_view digits_before;
  std::string_view digits_after;
  std::int64_t exponent = 0;
  bool exponent_overflow = false;
  /// The exponent as written, without sign and leading zeros: what tells two saturated ones apart.
  std::string_view exponent_digits;
  bool exponent_negative = false;

  /// `text` must be a JSON number.
  [[nodiscard]] static Decimal parse(std::string_view text) noexcept;
  [[nodiscard]] bool is_zero() const noexcept {
    return digits_before.empty() && digits_after.empty();
  }
  [[nodiscard]] bool is_integer() const noexcept { return is_zero() || exponent >= 0; }
  [[nodiscard]] std::size_t digit_count() const noexcept {
    return digits_before.size() + digits_after.size();
  }
};

/// Compares two JSON number texts by exact value; never allocates.
[[nodiscard]] std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept;

/// Whether `text` is one JSON number and nothing else.
[[nodiscard]] bool is_number_text(std::string_view text) noexcept;

/// Whether `value` is a whole multiple of `divisor` (> 0), exactly. Nothing when deciding it would
/// take more than `digits_max` digits of work.
[[nodiscard]] std::optional<bool> is_multiple_of(std::string_view value, std::string_view divisor,
                                                 std::size_t digits_max = 4096);

}  // namespace squall::json
