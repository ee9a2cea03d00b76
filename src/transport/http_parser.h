#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "squall/transport/http.h"
#include "squall/transport/http_client.h"

/// @file Strict reading of HTTP/1.1 messages: Beast's parser behind one translation unit
/// (docs/decisions/0006-http-parser.md).

namespace squall::transport {

/// Why a message can't be read: the status a server answers it with, and words for people.
struct HttpRefusal {
  int status;
  std::string_view reason;
};

struct HttpMessageLimits {
  std::size_t header_bytes_max;  ///< of a chunk's header and of the trailers, too
  std::size_t headers_max;
  std::uint64_t body_bytes_max;
};

/// What has been read of a body in one step.
struct HttpBodyStep {
  std::size_t used = 0;    ///< bytes of the input to drop; present the others again, with more
  std::string_view piece;  ///< of the body, within the input
  bool done = false;       ///< the message is complete
  bool starved = false;    ///< nothing more can be done without more input
  std::optional<HttpRefusal> refusal;
};

/// Reads one message after another; of each, first the head and then the body, if it has one.
class HttpRequestParser {
 public:
  explicit HttpRequestParser(const HttpMessageLimits& limits);
  HttpRequestParser(HttpRequestParser&&) noexcept;
  HttpRequestParser& operator=(HttpRequestParser&&) noexcept;
  ~HttpRequestParser();

  /// Reads a whole head with its blank line; `request` then holds views into `head`.
  [[nodiscard]] std::optional<HttpRefusal> read_head(std::string_view head, HttpRequest& request);
  [[nodiscard]] bool has_body() const;
  [[nodiscard]] std::optional<std::uint64_t> content_length() const;
  [[nodiscard]] bool expects_continue() const;
  /// Reads on in `bytes`, which aren't empty, up to the next piece of the body.
  [[nodiscard]] HttpBodyStep read_body(std::string_view bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same for responses, which may also end with the connection.
class HttpResponseParser {
 public:
  explicit HttpResponseParser(const HttpMessageLimits& limits);
  HttpResponseParser(HttpResponseParser&&) noexcept;
  HttpResponseParser& operator=(HttpResponseParser&&) noexcept;
  ~HttpResponseParser();

  /// `bodiless`: the answer to a HEAD request.
  [[nodiscard]] std::optional<HttpRefusal> read_head(std::string_view head, bool bodiless,
                                                     HttpClientResponse& response);
  [[nodiscard]] bool has_body() const;
  [[nodiscard]] bool keep_alive() const;
  /// Whether the end of the connection ends the body, rather than cutting it short.
  [[nodiscard]] bool ends_with_connection() const;
  [[nodiscard]] HttpBodyStep read_body(std::string_view bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace squall::transport
