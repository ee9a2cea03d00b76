#include "squall/base/units.h"

#include <array>
#include <limits>
#include <numeric>
#include <span>

namespace squall::base {

namespace {

constexpr std::uint64_t kValueMax = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kFractionDigitsMax = 9;
constexpr std::size_t kShownBytesMax = 40;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 3> kTimeUnits{
    {{"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}}};
constexpr std::array<Unit, 5> kSizeUnits{
    {{"b", 1}, {"kb", 1'000}, {"mb", 1'000'000}, {"kib", 1 << 10}, {"mib", 1 << 20}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && is_digit(rest[count])) ++count;
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

/// Appends `digits` to `number`; false when it gets too large.
bool append_digits(std::uint64_t& number, std::string_view digits) {
  for (const char digit : digits) {
    const auto value = static_cast<std::uint64_t>(digit - '0');
    if (number > (kValueMax - value) / 10) return false;
    number = number * 10 + value;
  }
  return true;
}

/// `fraction` digits of one `factor`; false when that is no whole number.
bool whole_part_of(std::uint64_t factor, std::string_view fraction, std::uint64_t& out) {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
  for (const char digit : fraction) {
    numerator = numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    denominator *= 10;
  }
  const std::uint64_t shared = std::gcd(factor, denominator);
  denominator /= shared;
  if (numerator % denominator != 0) return false;
  out = numerator / denominator * (factor / shared);
  return true;
}

std::unexpected<Error> refuse(std::string_view text, std::string_view why) {
  std::string shown;
  for (const char c : text.substr(0, kShownBytesMax)) shown += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > kShownBytesMax) shown += "...";
  return fail(ErrorKind::invalid, "'" + shown + "' " + std::string(why));
}

Result<std::uint64_t> parse(std::string_view text, std::span<const Unit> units,
                            std::string_view example) {
  const std::string form = "is not a number with a unit, as in " + std::string(example);
  std::string_view rest = text;
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return refuse(text, form);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    if (fraction.empty() || fraction.size() > kFractionDigitsMax) return refuse(text, form);
  }
  for (const Unit& unit : units) {
    if (rest != unit.name) continue;
    std::uint64_t count = 0;
    std::uint64_t part = 0;
    if (!append_digits(count, whole) || count > kValueMax / unit.factor) {
      return refuse(text, "is too large");
    }
    if (!whole_part_of(unit.factor, fraction, part)) return refuse(text, "is too fine");
    // Both are below 2^63, so the sum cannot wrap.
    if (const std::uint64_t sum = count * unit.factor + part; sum <= kValueMax) return sum;
    return refuse(text, "is too large");
  }
  return refuse(text, form);
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  SQUALL_TRY(const std::uint64_t count, parse(text, kTimeUnits, "250ms, 1.5s or 2m"));
  return std::chrono::nanoseconds(static_cast<std::int64_t>(count));
}

Result<std::uint64_t> parse_size(std::string_view text) {
  return parse(text, kSizeUnits, "512b, 64kib or 4mb");
}

}  // namespace squall::base
