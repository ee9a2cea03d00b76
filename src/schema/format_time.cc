#include <array>
#include <cstddef>
#include <optional>

#include "formats.h"

namespace squall::schema::formats {
namespace {

constexpr int kMinutesPerDay = 24 * 60;

// Reads a text from the left; every take_* moves on or gives nothing.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  bool take(char c) noexcept {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_letter(char lower) noexcept {
    return take(lower) || take(static_cast<char>(lower - 'a' + 'A'));
  }
  bool take_digits() noexcept {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
    return rest_.size() != before;
  }
  std::optional<int> take_number(std::size_t digits) noexcept {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!is_digit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

 private:
  std::string_view rest_;
};

int days_in_month(int year, int month) noexcept {
  constexpr std::array kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

bool read_date(Reader& in) noexcept {
  const auto year = in.take_number(4);
  if (!year || !in.take('-')) return false;
  const auto month = in.take_number(2);
  if (!month || *month < 1 || *month > 12 || !in.take('-')) return false;
  const auto day = in.take_number(2);
  return day && *day >= 1 && *day <= days_in_month(*year, *month);
}

// "hh:mm" as minutes
std::optional<int> read_minutes(Reader& in) noexcept {
  const auto hour = in.take_number(2);
  if (!hour || *hour > 23 || !in.take(':')) return std::nullopt;
  const auto minute = in.take_number(2);
  if (!minute || *minute > 59) return std::nullopt;
  return *hour * 60 + *minute;
}

// "Z" or "+hh:mm" as minutes
std::optional<int> read_offset(Reader& in) noexcept {
  if (in.take_letter('z')) return 0;
  const bool ahead = in.take('+');
  if (!ahead && !in.take('-')) return std::nullopt;
  const auto minutes = read_minutes(in);
  if (!minutes) return std::nullopt;
  return ahead ? *minutes : -*minutes;
}

bool read_time(Reader& in) noexcept {
  const auto minutes = read_minutes(in);
  if (!minutes || !in.take(':')) return false;
  const auto second = in.take_number(2);
  if (!second || *second > 60) return false;
  if (in.take('.') && !in.take_digits()) return false;
  const auto offset = read_offset(in);
  if (!offset) return false;
  // A leap second is the last of a day in UTC.
  const int utc = (*minutes - *offset + kMinutesPerDay) % kMinutesPerDay;
  return *second < 60 || utc == kMinutesPerDay - 1;
}

// Units must follow each other without a gap: "PT1H2S" is none (RFC 3339 appendix A).
bool read_units(Reader& in, std::string_view units) noexcept {
  std::size_t expected = units.size();  // the first may be any
  while (in.take_digits()) {
    std::size_t unit = expected == units.size() ? 0 : expected;
    const std::size_t last = expected == units.size() ? units.size() : expected + 1;
    while (unit < last && !in.take(units[unit])) ++unit;
    if (unit == last) return false;
    expected = unit + 1;
    if (expected == units.size()) return true;
  }
  return expected != units.size();
}

}  // namespace

bool is_date(std::string_view text) noexcept {
  Reader in(text);
  return read_date(in) && in.done();
}

bool is_time(std::string_view text) noexcept {
  Reader in(text);
  return read_time(in) && in.done();
}

bool is_date_time(std::string_view text) noexcept {
  Reader in(text);
  return read_date(in) && in.take_letter('t') && read_time(in) && in.done();
}

bool is_duration(std::string_view text) noexcept {
  Reader in(text);
  if (!in.take('P')) return false;
  if (text.ends_with('W')) return in.take_digits() && in.take('W') && in.done();
  if (!in.take('T')) {
    if (!read_units(in, "YMD")) return false;
    if (in.done()) return true;
    if (!in.take('T')) return false;
  }
  return read_units(in, "HMS") && in.done();
}

}  // namespace squall::schema::formats
