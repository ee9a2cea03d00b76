#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

/// @file The pieces of text that HTTP/1.1 messages are made of.

namespace squall::transport {

/// RFC 9110 section 5.6.2.
[[nodiscard]] bool is_token_char(char c) noexcept;
[[nodiscard]] bool is_token(std::string_view text) noexcept;

/// Appends "name: value" and a line end. Control characters of the value become blanks, and a name
/// that is no token is left out, so that no value can begin a header of its own.
void append_header(std::string& out, std::string_view name, std::string_view value);

/// Whether the header says how the message is framed, which only the connection may say.
[[nodiscard]] bool is_framing_header(std::string_view name) noexcept;

void append_number(std::string& out, std::size_t number);
/// Appends "<size in hex>\r\n<bytes>\r\n"; `bytes` isn't empty, as an empty chunk ends the body.
void append_chunk(std::string& out, std::string_view bytes);

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 section 5.6.7).
[[nodiscard]] std::string http_date(std::chrono::sys_seconds time);

/// Finds the blank line behind a head while the head's bytes come in.
class HeadScanner {
 public:
  enum class State { more, complete, bad };

  /// `bytes` begins where the head begins, and has only grown since the last call. Bad are lines
  /// that end in a bare LF, and a first character that begins no HTTP message.
  [[nodiscard]] State scan(std::string_view bytes) noexcept;
  /// Once complete: the size of the head with its blank line, and the number of header lines.
  [[nodiscard]] std::size_t size() const noexcept { return scanned_; }
  [[nodiscard]] std::size_t header_lines() const noexcept { return lines_ - 1; }

 private:
  std::size_t scanned_ = 0;
  std::size_t line_from_ = 0;
  std::size_t lines_ = 0;
};

}  // namespace squall::transport
