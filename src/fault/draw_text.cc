// How seeds and probabilities are read: strictly, with the reason and the right spelling.
#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>

#include "squall/base/text.h"
#include "squall/fault/draw.h"

namespace squall::fault {

namespace {

constexpr std::size_t kDecimalDigitsOfSeed = 20;
constexpr std::size_t kHexDigitsOfSeed = 16;
constexpr std::size_t kDecimalsMax = 9;
constexpr std::size_t kFractionDigitsMax = 18;
constexpr std::size_t kShownMax = 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text) { return std::ranges::all_of(text, is_digit); }

std::string quote(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, kShownMax)) shown += c >= ' ' && c <= '~' ? c : '?';
  return "'" + shown + (text.size() > kShownMax ? "...'" : "'");
}

std::unexpected<Error> refuse(std::string_view text, std::string_view why) {
  return fail(ErrorKind::invalid, quote(text) + " " + std::string(why));
}

std::string_view why_no_seed(std::string_view text) {
  if (text.empty()) return "is no seed: it is empty";
  if (text.starts_with('-')) return "is no seed: a seed has no sign";
  if (text.starts_with('+')) return "is no seed: a seed has no sign";
  if (text.starts_with("0X")) return "is no seed: write 0x, not 0X";
  if (text.starts_with("0x")) return "is no seed: behind 0x stand 1 to 16 hexadecimal digits";
  if (all_digits(text)) return "is no seed: it has more than 20 digits";
  if (text.find('.') != std::string_view::npos) return "is no seed: a seed is a whole number";
  const std::size_t first = text.find_first_not_of("0123456789");
  if (text[first] == 'e' || text[first] == 'E') return "is no seed: a seed has no exponent";
  return "is no seed: it takes decimal digits alone, or 0x and hexadecimal ones";
}

std::string_view why_no_probability(std::string_view text) {
  if (text.find(',') != std::string_view::npos) {
    return "is no probability: write a point, as in 0.5";
  }
  if (text.find_first_of("eE") != std::string_view::npos) {
    return "is no probability: without exponent, as in 0.5 or 1/1000";
  }
  if (text.starts_with('.')) return "is no probability: write 0 before the point, as in 0.5";
  if (text.ends_with('.')) return "is no probability: nothing stands behind the point";
  if (text.starts_with('-') || text.starts_with('+')) return "is no probability: without sign";
  return "is no probability, as in 0.1, 12.5% or 1/8";
}

std::optional<std::uint64_t> whole_number(std::string_view digits) {
  const bool fits = !digits.empty() && digits.size() <= kFractionDigitsMax && all_digits(digits) &&
                    (digits.size() == 1 || digits.front() != '0');
  if (!fits) return std::nullopt;
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

struct Ratio {
  std::uint64_t numerator;
  std::uint64_t denominator;
};

std::optional<Ratio> read_fraction(std::string_view text, std::size_t slash) {
  const auto numerator = whole_number(text.substr(0, slash));
  const auto denominator = whole_number(text.substr(slash + 1));
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  return Ratio{*numerator, *denominator};
}

std::optional<Ratio> read_decimal(std::string_view text) {
  std::uint64_t denominator = 1;
  if (text.ends_with('%')) {
    denominator = 100;
    text.remove_suffix(1);
  }
  const std::size_t point = text.find('.');
  const auto whole = whole_number(text.substr(0, point));
  if (!whole) return std::nullopt;
  // More than 100 is above 1 in every spelling, and would not fit below.
  if (*whole > 100) return Ratio{2, 1};
  Ratio out{*whole, denominator};
  if (point == std::string_view::npos) return out;
  const std::string_view decimals = text.substr(point + 1);
  if (decimals.empty() || decimals.size() > kDecimalsMax || !all_digits(decimals)) {
    return std::nullopt;
  }
  for (const char digit : decimals) {
    out.numerator = out.numerator * 10 + static_cast<std::uint64_t>(digit - '0');
    out.denominator *= 10;
  }
  return out;
}

}  // namespace

Result<Seed> Seed::parse(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  const std::string_view digits = hexadecimal ? text.substr(2) : text;
  const std::size_t most = hexadecimal ? kHexDigitsOfSeed : kDecimalDigitsOfSeed;
  Seed seed;
  if (digits.empty() || digits.size() > most || !(hexadecimal || all_digits(digits))) {
    return refuse(text, why_no_seed(text));
  }
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, seed.value, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    return refuse(text, "is no seed: it is above 2^64-1");
  }
  if (error != std::errc() || rest != end) return refuse(text, why_no_seed(text));
  return seed;
}

std::string Seed::hex() const {
  std::array<char, kHexDigitsOfSeed> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

Result<Probability> Probability::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto ratio =
      slash == std::string_view::npos ? read_decimal(text) : read_fraction(text, slash);
  if (!ratio) return refuse(text, why_no_probability(text));
  if (ratio->numerator > ratio->denominator) {
    return refuse(text, "is no probability: it is above 1");
  }
  const std::uint64_t shared = std::gcd(ratio->numerator, ratio->denominator);
  Probability out;
  out.numerator_ = ratio->numerator / shared;
  out.denominator_ = ratio->denominator / shared;
  return out;
}

std::string Probability::text() const {
  return std::to_string(numerator_) + "/" + std::to_string(denominator_);
}

}  // namespace squall::fault
