#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace squall::json {

/// A number taken apart without loss: sign, significant digits, exponent of the last digit.
///
/// Views the text it came from. `digits` has no leading zeros; trailing zeros are counted in
/// `exponent`. Zero has no digits and exponent 0. An exponent too large for 18 digits saturates,
/// which `exponent_overflow` tells.
struct Decimal {
  bool negative = false;
  /// The digits may be split by a decimal point: first the ones before it, then those after.
  std::string_view digits_before;
  std::string_view digits_after;
  std::int64_t exponent = 0;
  bool exponent_overflow = false;

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
