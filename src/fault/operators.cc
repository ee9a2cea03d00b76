#include "operators.h"

#include <algorithm>
#include <chrono>
#include <span>

#include "squall/base/text.h"
#include "squall/fault/draw.h"
#include "squall/json/number.h"

namespace squall::fault {

namespace {

using Words = std::span<const std::string_view>;

constexpr auto kCurrencies = std::to_array<std::string_view>(
    {"USD", "EUR", "GBP", "JPY", "CHF", "PLN", "SEK", "CAD", "AUD", "INR"});
constexpr auto kMasses = std::to_array<std::string_view>({"g", "kg", "lb", "oz"});
constexpr auto kLengths = std::to_array<std::string_view>({"mm", "cm", "km", "mi", "ft"});
constexpr auto kTemperatures = std::to_array<std::string_view>({"\u00b0C", "\u00b0F"});
constexpr auto kSizes = std::to_array<std::string_view>({"KB", "MB", "GB", "TB"});
constexpr auto kTimes = std::to_array<std::string_view>({"ms", "s", "min", "h"});
constexpr std::array<Words, 5> kUnits = {kMasses, kLengths, kTemperatures, kSizes, kTimes};

constexpr std::size_t kDateBytes = 10;
constexpr int kDaysMax = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t index_in(std::uint64_t bits, std::size_t count) {
  return static_cast<std::size_t>(integer_in(bits, 0, static_cast<std::int64_t>(count) - 1));
}

/// Another digit at one of `places` of `text`: which, and how far, by `bits`.
std::string change_digit(std::string text, const std::vector<std::size_t>& places,
                         std::uint64_t bits) {
  if (places.empty()) return text;
  const std::size_t choice = index_in(bits, places.size() * 9);
  char& digit = text[places[choice / 9]];
  digit = static_cast<char>('0' + (digit - '0' + 1 + static_cast<int>(choice % 9)) % 10);
  return text;
}

/// The digits of a number's significand. The first counts only where a zero may stand there.
std::string change_number(std::string_view text, std::uint64_t bits) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::vector<std::size_t> places;
  for (std::size_t i = first; i < end; ++i) {
    const bool leads = i == first && i + 1 < end && is_digit(text[i + 1]);
    if (is_digit(text[i]) && !leads) places.push_back(i);
  }
  return change_digit(std::string(text), places, bits);
}

std::optional<std::chrono::year_month_day> date_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  if (text.size() - at < kDateBytes) return std::nullopt;
  for (std::size_t i = 0; i < kDateBytes; ++i) {
    const bool fits = kForm[i] == 'd' ? is_digit(text[at + i]) : text[at + i] == kForm[i];
    if (!fits) return std::nullopt;
  }
  const bool longer = (at > 0 && is_digit(text[at - 1])) ||
                      (at + kDateBytes < text.size() && is_digit(text[at + kDateBytes]));
  const auto number = [&](std::size_t from, std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10 + (text[at + from + i] - '0');
    return value;
  };
  const std::chrono::year_month_day date(std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2))));
  const bool near_the_end = number(0, 4) < 2 || number(0, 4) > 9998;
  if (longer || near_the_end || !date.ok()) return std::nullopt;
  return date;
}

std::vector<std::size_t> find_dates(std::string_view text) {
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at + kDateBytes <= text.size(); ++at) {
    if (date_at(text, at)) out.push_back(at);
  }
  return out;
}

std::string padded(int number, std::size_t digits) {
  std::string out = std::to_string(number);
  return std::string(digits - std::min(digits, out.size()), '0') + out;
}

/// One date of `text` moved by 1 to 9 days, back or forth.
std::string move_date(std::string text, std::uint64_t bits) {
  const std::vector<std::size_t> dates = find_dates(text);
  if (dates.empty()) return text;
  const std::size_t choice = index_in(bits, dates.size() * 2 * kDaysMax);
  const std::size_t at = dates[choice / (2 * kDaysMax)];
  const int step = static_cast<int>(choice % (2 * kDaysMax)) - kDaysMax;
  const std::chrono::days days(step < 0 ? step : step + 1);
  const std::chrono::year_month_day moved(std::chrono::sys_days(*date_at(text, at)) + days);
  return text.replace(at, kDateBytes,
                      padded(static_cast<int>(moved.year()), 4) + "-" +
                          padded(static_cast<int>(static_cast<unsigned>(moved.month())), 2) + "-" +
                          padded(static_cast<int>(static_cast<unsigned>(moved.day())), 2));
}

/// Where one of `words` stands in `text` as a word of its own.
struct Found {
  std::size_t at;
  std::size_t word;  // its index
};
std::optional<Found> find_word(std::string_view text, Words words, bool behind_digits) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t at = text.find(words[i]); at != std::string_view::npos;
         at = text.find(words[i], at + 1)) {
      const std::size_t end = at + words[i].size();
      const bool free_after = end == text.size() || !(is_letter(text[end]) || is_digit(text[end]));
      const bool whole = at == 0 && end == text.size();
      std::size_t before = at;
      while (before > 0 && text[before - 1] == ' ') --before;
      const bool measures = before > 0 && is_digit(text[before - 1]);
      const bool free_before = at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]));
      if (free_after && (whole || (behind_digits ? measures : free_before))) return Found{at, i};
    }
  }
  return std::nullopt;
}

std::string change_word(std::string text, Words words, bool behind_digits, std::uint64_t bits) {
  const auto found = find_word(text, words, behind_digits);
  if (!found) return text;
  const std::size_t step = 1 + index_in(bits, words.size() - 1);
  const std::string_view other = words[(found->word + step) % words.size()];
  return text.replace(found->at, words[found->word].size(), other);
}

std::optional<Words> unit_of(std::string_view text) {
  for (const Words group : kUnits) {
    if (find_word(text, group, true)) return group;
  }
  return std::nullopt;
}

bool is_id_key(std::string_view key) {
  const std::string lower = base::to_lower(key);
  return lower == "id" || lower.ends_with("_id") || key.ends_with("Id") || key.ends_with("ID");
}

/// Letters and digits without spaces, as in ACC-1001.
bool looks_like_id(std::string_view text) {
  return text.size() <= 64 && std::ranges::any_of(text, is_digit) &&
         text.find(' ') == std::string_view::npos && find_dates(text).empty() &&
         std::ranges::all_of(text, [](char c) {
           return is_digit(c) || is_letter(c) || c == '-' || c == '_' || c == '.' || c == ':';
         });
}

/// Another digit in the last run of digits.
std::string change_id(std::string text, std::uint64_t bits) {
  std::vector<std::size_t> places;
  const std::size_t last = text.find_last_of("0123456789");
  for (std::size_t i = last; i != std::string::npos && is_digit(text[i]); --i) {
    const bool leads = i == 0 || !is_digit(text[i - 1]);
    if (!leads || places.empty()) places.push_back(i);
    if (i == 0) break;
  }
  return change_digit(std::move(text), places, bits);
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    out.push_back(text.substr(at, space - at));
    at = space + 1;
  }
  return out;
}

/// Two neighbouring words exchanged; of a single word, two neighbouring letters.
std::string change_text(std::string_view text, std::uint64_t bits) {
  std::vector<std::string_view> parts = split_words(text);
  const bool words = parts.size() > 1;
  if (!words) {
    parts.clear();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      static_cast<void>(base::next_code_point(text, at));
      parts.push_back(text.substr(begin, at - begin));
    }
  }
  if (parts.size() < 2) return std::string(text);
  const std::size_t at = index_in(bits, parts.size() - 1);
  std::swap(parts[at], parts[at + 1]);
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (words && i > 0) out += ' ';
    out += parts[i];
  }
  return out;
}

/// Prose: the digits that are no part of a date.
std::string change_number_in(std::string text, std::uint64_t bits) {
  std::vector<bool> taken(text.size());
  for (const std::size_t date : find_dates(text)) {
    std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(date), kDateBytes, true);
    // What follows a date up to the next space is its time of day.
    for (std::size_t i = date + kDateBytes; i < text.size() && text[i] != ' '; ++i) taken[i] = true;
  }
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool leads =
        (i == 0 || !is_digit(text[i - 1])) && i + 1 < text.size() && is_digit(text[i + 1]);
    if (is_digit(text[i]) && !taken[i] && !leads) places.push_back(i);
  }
  return change_digit(std::move(text), places, bits);
}

}  // namespace

bool applies(std::string_view name, const json::Value& value, std::string_view key) {
  if (value.is_number()) {
    if (is_id_key(key)) return name == "id";
    return name == "number" ||
           (name == "sign" && !json::Decimal::parse(value.number_text()).is_zero());
  }
  if (!value.is_string()) return false;
  const std::string_view text = value.string();
  const bool dated = !find_dates(text).empty();
  const bool numeric = json::is_number_text(text);
  if (name == "date") return dated;
  if (name == "currency") return find_word(text, kCurrencies, false).has_value();
  if (name == "unit") return unit_of(text).has_value();
  if (name == "id") return !numeric && looks_like_id(text) && !unit_of(text);
  if (name == "number") {
    const bool prose = text.find(' ') != std::string_view::npos || unit_of(text).has_value();
    return numeric || (prose && change_number_in(std::string(text), 0) != text);
  }
  if (name == "sign") return numeric && !json::Decimal::parse(text).is_zero();
  return name == "text" && !dated && std::ranges::none_of(text, is_digit) && text.size() > 1 &&
         !find_word(text, kCurrencies, false) && !unit_of(text);
}

json::Value mutate(std::string_view name, const json::Value& value, std::uint64_t bits) {
  const bool number = value.is_number();
  const std::string text(number ? value.number_text() : value.string());
  std::string out = text;
  if (name == "number") {
    out = json::is_number_text(text) ? change_number(text, bits) : change_number_in(text, bits);
  } else if (name == "sign") {
    out = text.starts_with('-') ? text.substr(1) : "-" + text;
  } else if (name == "date") {
    out = move_date(text, bits);
  } else if (name == "currency") {
    out = change_word(text, kCurrencies, false, bits);
  } else if (name == "unit") {
    if (const auto group = unit_of(text)) out = change_word(text, *group, true, bits);
  } else if (name == "id") {
    out = number ? change_number(text, bits) : change_id(text, bits);
  } else {
    out = change_text(text, bits);
  }
  if (!number) return out;
  return json::Value::number(out).value_or(value);
}

}  // namespace squall::fault
