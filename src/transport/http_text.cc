#include "http_text.h"

#include <array>
#include <charconv>

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
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    out += (code < 0x20 || code == 0x7F) ? ' ' : c;
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
  switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 425: return "Too Early";
    case 426: return "Upgrade Required";
    case 428: return "Precondition Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

}  // namespace squall::transport
