#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/loop.h"
#include "squall/transport/tls.h"

/// @file HTTP/1.1 as a server, over any ByteStream. What MCP says about HTTP is in `server`.

namespace squall::transport {

using HttpHeader = std::pair<std::string_view, std::string_view>;

/// The head of a request, and its body once that has arrived. The views point into one buffer that
/// the request owns; moving the request keeps them valid.
class HttpRequest {
 public:
  std::string_view method;
  std::string_view target;          ///< as sent: "/mcp?x=1"
  std::string_view path;            ///< before '?', not decoded
  std::string_view query;           ///< after '?', or ""
  std::vector<HttpHeader> headers;  ///< in order, values without surrounding blanks
  std::string body;
  bool keep_alive = true;
  unsigned version = 11;  ///< 10 or 11

  /// The value of a header, any case; several of one name are joined by ", ". Nothing when absent.
  /// (The joined text lives as long as the request.)
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;

 private:
  friend class HttpConnection;
  std::unique_ptr<char[]> head_;
  mutable std::vector<std::unique_ptr<std::pair<std::string, std::string>>> joined_;
};

/// A whole reply. `headers` come on top of Content-Type, Content-Length and what the server adds.
/// Those that frame the message (Content-Length, Transfer-Encoding, Connection) are the server's
/// alone and left out, as are names that no header can have; control characters become blanks.
struct HttpReply {
  int status = 200;
  std::string content_type{};  ///< "" sends none
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  bool close = false;  ///< end the connection behind it
};

/// The way back for one request: one whole reply, or a stream of bytes. Belongs to the loop's
/// thread; after the connection is gone everything here does nothing. An exchange that everybody
/// lets go of unanswered is answered with 500, and cut when it was open.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  /// Adds a header to whatever reply comes, for what has to be on all of them.
  virtual void add_header(std::string_view name, std::string_view value) = 0;
  /// Sends status line, headers and body in one write. Once, and not after `open`.
  virtual void reply(HttpReply reply) = 0;
  /// As `reply` with "application/json" and no further headers: the hot path, no copies.
  virtual void reply_json(int status, std::string_view body) = 0;
  /// Begins a streamed reply (chunked); `first` leaves in the same write as the head.
  virtual void open(const HttpReply& head, std::string_view first) = 0;
  virtual void write(std::string_view bytes) = 0;
  /// Ends the stream as HTTP says it ends (the connection may live on).
  virtual void finish() = 0;
  /// Cuts the connection without ending the reply: gracefully (FIN) or by reset (RST).
  virtual void drop(bool reset) = 0;
  [[nodiscard]] virtual bool open_for_writing() const = 0;
  /// Bytes written here that the peer hasn't taken.
  [[nodiscard]] virtual std::size_t pending() const = 0;
  /// Called once when the peer goes away before the reply has ended: it left, broke off, or ended
  /// its direction. Never from inside a call above, nor because the server is destroyed.
  virtual void on_gone(std::move_only_function<void()> handler) = 0;
  /// Called each time the queue behind `write` has emptied.
  virtual void on_drained(std::move_only_function<void()> handler) = 0;
  /// The loop the exchange lives on.
  [[nodiscard]] virtual runtime::Loop& loop() = 0;
  [[nodiscard]] virtual std::string peer() const = 0;
};

class HttpHandler {
 public:
  /// The head is complete and the body not yet read: an answer here refuses the request (the body
  /// is then skipped up to the limit, or the connection closed).
  virtual std::optional<HttpReply> on_head(const HttpRequest& head) = 0;
  /// The request is complete. The exchange may be kept as long as it takes.
  virtual void on_request(HttpRequest request, std::shared_ptr<HttpExchange> exchange) = 0;
  /// The request can't be read; the reply to send (the connection closes behind it).
  virtual HttpReply on_refused(int status, std::string_view reason) = 0;

 protected:
  ~HttpHandler() = default;
};

struct HttpServerOptions {
  std::size_t header_bytes_max = 32 << 10;
  std::size_t headers_max = 128;
  std::size_t body_bytes_max = 4 << 20;
  /// Of all bodies that are being received; beyond it 503.
  std::size_t bodies_bytes_max = 256 << 20;
  std::size_t connections_max = 20'000;                 ///< beyond it, accepting pauses
  std::size_t pipelined_bytes_max = 64 << 10;           ///< read ahead during a reply, then pause
  std::chrono::milliseconds header_timeout{10'000};     ///< first byte to end of head
  std::chrono::milliseconds body_idle_timeout{30'000};  ///< between two pieces of a body
  std::chrono::milliseconds keep_alive_timeout{60'000};
  std::chrono::milliseconds write_idle_timeout{30'000};  ///< no byte taken while some are queued;
                                                         ///< up to twice that after some were
  std::shared_ptr<const TlsContext> tls{};  ///< for connections that `listen` accepts; null: plain
};

/// Serves HTTP/1.1 (and 1.0) on one loop: keep-alive, pipelining in order, chunked bodies,
/// `Expect: 100-continue`, HEAD, limits and timeouts. Refuses bare LF, obsolete folding, blank
/// before ':', two Content-Lengths, Content-Length beside Transfer-Encoding, and HTTP/1.1 without
/// exactly one Host. The host of an absolute target ("GET http://host/") replaces the header's.
///
/// It may be destroyed inside any call to its handler.
class HttpServer {
 public:
  /// `loop` and `handler` outlive it.
  HttpServer(runtime::Loop& loop, HttpHandler& handler, HttpServerOptions options = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] Result<void> listen(const runtime::ListenOptions& options);
  [[nodiscard]] std::uint16_t port() const;
  /// Serves one connection that came some other way.
  void accept(std::unique_ptr<runtime::ByteStream> stream);
  [[nodiscard]] std::size_t connections() const;
  /// Stops accepting, closes idle connections, lets replies under way end and closes each behind
  /// its reply; `on_idle` is called from the loop once none is left.
  void drain(std::move_only_function<void()> on_idle);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

[[nodiscard]] std::string_view reason_phrase(int status) noexcept;

}  // namespace squall::transport
