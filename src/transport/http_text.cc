#include "http_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "squall/base/text.h"
#include "squall/transport/http.h"

namespace squall::transport {

namespace {

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  constexpr std::string_view kTokenChars =
      "!#$%&'*+-.^_`|~0123456789"
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char c : kTokenChars) table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr auto kTokenTable = make_token_table();

constexpr auto kReasons = std::to_array<std::pair<int, std::string_view>>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
});
static_assert(std::ranges::is_sorted(kReasons));

void append_two_digits(std::string& out, unsigned number) {
  out += static_cast<char>('0' + number / 10 % 10);
  out += static_cast<char>('0' + number % 10);
}

}  // namespace

bool is_token_char(char c) noexcept { return kTokenTable[static_cast<unsigned char>(c)]; }

bool is_token(std::string_view text) noexcept {
  for (const char c : text) {
    if (!is_token_char(c)) return false;
  }
  return !text.empty();
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  if (!is_token(name)) return;
  out += name;
  out += ": ";
  const std::size_t from = out.size();
  out += value;
  for (std::size_t i = from; i < out.size(); ++i) {
    const auto code = static_cast<unsigned char>(out[i]);
    if (code < 0x20 || code == 0x7F) out[i] = ' ';
  }
  out += "\r\n";
}

bool is_framing_header(std::string_view name) noexcept {
  return base::equals_ignoring_case(name, "content-length") ||
         base::equals_ignoring_case(name, "transfer-encoding") ||
         base::equals_ignoring_case(name, "connection");
}

void append_number(std::string& out, std::size_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_chunk(std::string& out, std::string_view bytes) {
  std::array<char, 16> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), bytes.size(), 16).ptr;
  out.append(digits.data(), end);
  out += "\r\n";
  out += bytes;
  out += "\r\n";
}

std::string http_date(std::chrono::sys_seconds time) {
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                     "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string out(kDays[std::chrono::weekday(day).c_encoding()]);
  out += ", ";
  append_two_digits(out, static_cast<unsigned>(date.day()));
  out += ' ';
  out += kMonths[static_cast<unsigned>(date.month()) - 1];
  out += ' ';
  append_number(out, static_cast<std::size_t>(static_cast<int>(date.year())));
  out += ' ';
  append_two_digits(out, static_cast<unsigned>(clock.hours().count()));
  out += ':';
  append_two_digits(out, static_cast<unsigned>(clock.minutes().count()));
  out += ':';
  append_two_digits(out, static_cast<unsigned>(clock.seconds().count()));
  out += " GMT";
  return out;
}

HeadScanner::State HeadScanner::scan(std::string_view bytes) noexcept {
  if (scanned_ == 0 && !bytes.empty() && !is_token_char(bytes.front())) return State::bad;
  for (;;) {
    const std::size_t end = bytes.find('\n', scanned_);
    if (end == std::string_view::npos) {
      scanned_ = bytes.size();
      return State::more;
    }
    if (end == 0 || bytes[end - 1] != '\r') return State::bad;
    scanned_ = end + 1;
    if (end - 1 == line_from_) return State::complete;
    line_from_ = scanned_;
    ++lines_;
  }
}

std::string_view reason_phrase(int status) noexcept {
  const auto found = std::ranges::lower_bound(kReasons, status, {},
                                              [](const auto& reason) { return reason.first; });
  return found != kReasons.end() && found->first == status ? found->second : "Unknown";
}

}  // namespace squall::transport
