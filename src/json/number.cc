#include "squall/json/number.h"

#include <algorithm>
#include <array>

#include "remainder.h"
#include "scan.h"

namespace squall::json {

namespace {

constexpr std::size_t kExponentDigitsMax = 18;
constexpr std::int64_t kExponentMax = 999'999'999'999'999'999;
// Beyond any sum of an exponent of 18 digits and the length of a text; far from overflowing.
constexpr std::int64_t kExponentSaturated = 4'000'000'000'000'000'000;
// Differences beyond this stay beyond it whatever digits follow, and no text is this long.
constexpr std::int64_t kDifferenceMax = std::int64_t{1} << 56;

void strip_leading_zeros(std::string_view& digits) noexcept {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// Strips them and gives their number.
std::size_t strip_trailing_zeros(std::string_view& digits) noexcept {
  const std::size_t before = digits.size();
  digits.remove_suffix(before - (digits.find_last_not_of('0') + 1));
  return before - digits.size();
}

std::int64_t clamp_difference(std::int64_t value) noexcept {
  return std::clamp(value, -kDifferenceMax, kDifferenceMax);
}

/// |a| - |b| of two digit strings without leading zeros, clamped.
std::int64_t difference_of_digits(std::string_view a, std::string_view b) noexcept {
  const std::size_t width = std::max(a.size(), b.size());
  std::int64_t difference = 0;
  for (std::size_t i = width; i-- > 0;) {
    const int x = i < a.size() ? a[a.size() - 1 - i] - '0' : 0;
    const int y = i < b.size() ? b[b.size() - 1 - i] - '0' : 0;
    difference = clamp_difference(difference * 10 + (x - y));
  }
  return difference;
}

/// The difference of the exponents as written, clamped.
std::int64_t written_difference(const Decimal& a, const Decimal& b) noexcept {
  if (a.exponent_negative == b.exponent_negative) {
    const std::int64_t difference = difference_of_digits(a.exponent_digits, b.exponent_digits);
    return a.exponent_negative ? -difference : difference;
  }
  const std::int64_t sum = clamp_difference(-difference_of_digits("", a.exponent_digits) -
                                            difference_of_digits("", b.exponent_digits));
  return a.exponent_negative ? -sum : sum;
}

std::int64_t written_exponent(const Decimal& d) noexcept {
  if (d.exponent_digits.size() > kExponentDigitsMax) {
    return d.exponent_negative ? -kExponentSaturated : kExponentSaturated;
  }
  std::int64_t value = 0;
  for (const char c : d.exponent_digits) value = value * 10 + (c - '0');
  return d.exponent_negative ? -value : value;
}

/// The difference of the exponents of the last digits, exact unless it is beyond kDifferenceMax
/// / 2.
std::int64_t exponent_difference(const Decimal& a, const Decimal& b) noexcept {
  // The part of an exponent that comes from where the digits stand, not from the written one.
  const std::int64_t place =
      (a.exponent - written_exponent(a)) - (b.exponent - written_exponent(b));
  return written_difference(a, b) + place;
}

char digit_at(const Decimal& d, std::size_t i) noexcept {
  if (i < d.digits_before.size()) return d.digits_before[i];
  i -= d.digits_before.size();
  return i < d.digits_after.size() ? d.digits_after[i] : '0';
}

std::strong_ordering compare_magnitudes(const Decimal& a, const Decimal& b) noexcept {
  const auto first_place = exponent_difference(a, b) + static_cast<std::int64_t>(a.digit_count()) -
                           static_cast<std::int64_t>(b.digit_count());
  if (first_place != 0) return first_place <=> 0;
  const std::size_t count = std::max(a.digit_count(), b.digit_count());
  for (std::size_t i = 0; i < count; ++i) {
    const char x = digit_at(a, i);
    const char y = digit_at(b, i);
    if (x != y) return x <=> y;
  }
  return std::strong_ordering::equal;
}

}  // namespace

Decimal Decimal::parse(std::string_view text) noexcept {
  Decimal d;
  if (text.front() == '-') {
    d.negative = true;
    text.remove_prefix(1);
  }
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    d.exponent_negative = exponent.front() == '-';
    if (!is_digit(exponent.front())) exponent.remove_prefix(1);
    strip_leading_zeros(exponent);
    d.exponent_digits = exponent;
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  d.digits_before = text.substr(0, point);
  if (point != std::string_view::npos) d.digits_after = text.substr(point + 1);

  strip_leading_zeros(d.digits_before);
  strip_trailing_zeros(d.digits_after);
  const auto places = static_cast<std::int64_t>(d.digits_after.size());
  if (d.digits_before.empty()) strip_leading_zeros(d.digits_after);
  std::size_t zeros = 0;
  if (d.digits_after.empty()) zeros = strip_trailing_zeros(d.digits_before);
  if (d.is_zero()) {
    d.exponent_digits = {};
    return d;
  }

  d.exponent = written_exponent(d) - places + static_cast<std::int64_t>(zeros);
  d.exponent_overflow = d.exponent_digits.size() > kExponentDigitsMax ||
                        d.exponent > kExponentMax || d.exponent < -kExponentMax;
  return d;
}

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) noexcept {
  if (a == b) return std::strong_ordering::equal;
  const Decimal x = Decimal::parse(a);
  const Decimal y = Decimal::parse(b);
  const int x_sign = x.is_zero() ? 0 : (x.negative ? -1 : 1);
  const int y_sign = y.is_zero() ? 0 : (y.negative ? -1 : 1);
  if (x_sign != y_sign) return x_sign <=> y_sign;
  if (x_sign == 0) return std::strong_ordering::equal;
  return x_sign > 0 ? compare_magnitudes(x, y) : compare_magnitudes(y, x);
}

bool is_number_text(std::string_view text) noexcept {
  const char* end = text.data() + text.size();
  const NumberScan scan = scan_number(text.data(), end);
  return scan.expected == nullptr && scan.end == end;
}

std::optional<bool> is_multiple_of(std::string_view value, std::string_view divisor,
                                   std::size_t digits_max) {
  const Decimal v = Decimal::parse(value);
  const Decimal d = Decimal::parse(divisor);
  if (v.is_zero()) return true;
  if (d.is_zero()) return false;
  const std::int64_t shift = exponent_difference(v, d);
  // Without trailing zeros the digits of `v` are no multiple of ten, so of nothing with one.
  if (shift < 0) return false;
  if (d.digit_count() == 1 && digit_at(d, 0) == '1') return true;
  // A divisor of n digits holds fewer than 4n factors of two or five: more zeros change nothing.
  const std::size_t zeros =
      std::min<std::size_t>(static_cast<std::size_t>(shift), 4 * d.digit_count());
  if (d.digit_count() > digits_max || v.digit_count() > digits_max - d.digit_count() ||
      zeros > digits_max - d.digit_count() - v.digit_count()) {
    return std::nullopt;
  }
  return divides({d.digits_before, d.digits_after, 0}, {v.digits_before, v.digits_after, zeros});
}

}  // namespace squall::json
