#include "squall/transport/retry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "squall/base/crypto.h"
#include "squall/base/text.h"

namespace squall::transport {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRetryAfterMax = std::chrono::hours(24);
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Takes pieces of known shape from the front of a text; once one is missing, all that follow are.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : rest_(text) {}
  void skip(std::string_view expected) {
    good_ = good_ && rest_.starts_with(expected);
    if (good_) rest_.remove_prefix(expected.size());
  }
  /// What stands before `end`, which is dropped with it.
  void skip_past(std::string_view end) {
    const std::size_t at = rest_.find(end);
    good_ = good_ && at != std::string_view::npos;
    if (good_) rest_.remove_prefix(at + end.size());
  }
  /// A number of exactly `digits` digits.
  int number(std::size_t digits) {
    int value = 0;
    const std::string_view text = rest_.substr(0, digits);
    good_ = good_ && text.size() == digits &&
            text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!good_) return 0;
    std::from_chars(text.data(), text.data() + digits, value);
    rest_.remove_prefix(digits);
    return value;
  }
  /// asctime pads with a blank.
  int padded_day() {
    if (!rest_.starts_with(' ')) return number(2);
    skip(" ");
    return number(1);
  }
  unsigned month() {
    const auto found = std::find(kMonths.begin(), kMonths.end(), rest_.substr(0, 3));
    good_ = good_ && found != kMonths.end();
    if (good_) rest_.remove_prefix(3);
    return static_cast<unsigned>(found - kMonths.begin()) + 1;
  }
  std::chrono::seconds time_of_day() {
    const int hours = number(2);
    skip(":");
    const int minutes = number(2);
    skip(":");
    const int seconds = number(2);
    good_ = good_ && hours < 24 && minutes < 60 && seconds <= 60;
    return std::chrono::hours(hours) + std::chrono::minutes(minutes) +
           std::chrono::seconds(seconds);
  }
  [[nodiscard]] bool complete() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

struct DateAndTime {
  int day = 0;
  unsigned month = 0;
  int year = 0;
  std::chrono::seconds time{};
};

std::optional<std::chrono::sys_seconds> to_time(const Cutter& cutter, const DateAndTime& parts) {
  const std::chrono::year_month_day date{std::chrono::year(parts.year),
                                         std::chrono::month(parts.month),
                                         std::chrono::day(static_cast<unsigned>(parts.day))};
  if (!cutter.complete() || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + parts.time;
}

/// Two digits mean the year that is at most 50 years ahead (RFC 9110 section 5.6.7).
int full_year(int two_digits, std::chrono::system_clock::time_point now) {
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
  const int year = static_cast<int>(today.year());
  const int same_century = year - year % 100 + two_digits;
  return same_century > year + 50 ? same_century - 100 : same_century;
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text,
                                                        std::chrono::system_clock::time_point now) {
  Cutter cutter(text);
  DateAndTime parts;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {  // Sun Nov  6 08:49:37 1994
    cutter.skip_past(" ");
    parts.month = cutter.month();
    cutter.skip(" ");
    parts.day = cutter.padded_day();
    cutter.skip(" ");
    parts.time = cutter.time_of_day();
    cutter.skip(" ");
    parts.year = cutter.number(4);
    return to_time(cutter, parts);
  }
  const bool is_old = comma > 3;  // Sunday, 06-Nov-94 08:49:37 GMT
  const std::string_view between = is_old ? "-" : " ";
  cutter.skip_past(", ");
  parts.day = cutter.number(2);
  cutter.skip(between);
  parts.month = cutter.month();
  cutter.skip(between);
  parts.year = is_old ? full_year(cutter.number(2), now) : cutter.number(4);
  cutter.skip(" ");
  parts.time = cutter.time_of_day();
  cutter.skip(" GMT");
  return to_time(cutter, parts);
}

std::optional<milliseconds> parse_retry_after(std::string_view value,
                                              std::chrono::system_clock::time_point now) {
  value = base::trim(value);
  if (value.empty()) return std::nullopt;
  if (value.find_first_not_of("0123456789") == std::string_view::npos) {
    std::uint32_t seconds = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (read.ec != std::errc{}) return kRetryAfterMax;  // more than fits
    return std::min<milliseconds>(std::chrono::seconds(seconds), kRetryAfterMax);
  }
  const auto date = parse_http_date(value, now);
  if (!date) return std::nullopt;
  // Whole seconds first: a far date is no number of nanoseconds.
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  if (*date <= second) return milliseconds(0);
  if (*date - second > kRetryAfterMax) return kRetryAfterMax;
  return std::chrono::ceil<milliseconds>(*date - now);
}

double random_fraction() {
  std::array<unsigned char, sizeof(std::uint64_t)> bytes;
  base::random_bytes(bytes);
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return static_cast<double>(number >> 11) * 0x1p-53;  // as many bits as a double keeps
}

Backoff::Backoff(milliseconds first, milliseconds longest, std::function<double()> fraction)
    : first_(std::min(first, longest)),
      longest_(longest),
      pause_(first_),
      fraction_(fraction ? std::move(fraction) : random_fraction) {}

milliseconds Backoff::next(std::optional<milliseconds> retry_after) {
  const double kept = 1 - fraction_() / 2;
  const milliseconds pause(std::llround(static_cast<double>(pause_.count()) * kept));
  pause_ = std::min(longest_, pause_ > longest_ / 2 ? longest_ : pause_ * 2);
  return std::max(pause, retry_after.value_or(milliseconds(0)));
}

}  // namespace squall::transport
