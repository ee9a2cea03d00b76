#pragma once

#include <list>
#include <optional>

#include "squall/transport/http.h"

#include "block_pool.h"
#include "http_parser.h"
#include "http_text.h"
#include "lifetime.h"

namespace squall::transport {

class ConnectionExchange;
class HttpConnection;
using HttpConnections = std::list<HttpConnection>;

/// What the connections of one server share.
class HttpServerContext {
 public:
  HttpServerContext(runtime::Loop& its_loop, HttpHandler& its_handler,
                    const HttpServerOptions& its_options);
  HttpServerContext(const HttpServerContext&) = delete;
  HttpServerContext& operator=(const HttpServerContext&) = delete;

  /// Destroys the connection.
  virtual void remove(HttpConnections::iterator connection) = 0;

  [[nodiscard]] HttpRequestParser take_parser();
  void give_parser(HttpRequestParser parser);
  /// The one buffer that all replies are put together in, empty.
  [[nodiscard]] std::string& begin_output();
  /// What the connection that is reading has to send once it has read.
  [[nodiscard]] std::string& gathered() { return gathered_; }
  /// The header line that tells the time; made once a second.
  [[nodiscard]] std::string_view date_line();

  runtime::Loop& loop;
  HttpHandler& handler;
  const HttpServerOptions options;
  const std::shared_ptr<BlockPool> exchanges;  // shared with exchanges that outlive the server
  std::size_t body_bytes = 0;  // set aside for the bodies that are being received
  bool draining = false;

 protected:
  ~HttpServerContext() = default;

 private:
  std::vector<HttpRequestParser> parsers_;
  std::string output_;
  std::string gathered_;
  std::string date_line_;
  std::chrono::sys_seconds date_{std::chrono::seconds::min()};
};

/// One connection of a server: reads a request, waits for its reply, and goes on to the next.
///
/// Small while idle: what belongs to a request is allocated with it and leaves with it.
class HttpConnection final : public runtime::ByteStream::Receiver {
 public:
  HttpConnection(HttpServerContext& server, std::unique_ptr<runtime::ByteStream> stream);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void start(HttpConnections::iterator self);
  /// Ends the connection if no request is under way on it; may destroy it.
  void drain();

  /// For the exchange of the request under way. All but `write` may destroy the connection.
  void add_header(std::string_view name, std::string_view value);
  void reply(HttpReply reply);
  void reply_json(int status, std::string_view body);
  void open(const HttpReply& head, std::string_view first);
  void write(std::string_view bytes);
  void finish();
  void drop(bool reset);
  void abandon(bool streaming);
  [[nodiscard]] std::size_t pending() const { return stream_->pending(); }
  [[nodiscard]] std::string peer() const { return stream_->peer(); }

  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End end) override;
  void on_drained() override;
  void on_peer_finished() override;

 private:
  enum class Phase : std::uint8_t {
    idle,       // between requests
    head,       // some of a head is there
    body,       // the handler wants the request, and its body is coming
    skipping,   // the request is answered, and its body is still coming
    answering,  // an exchange is out
    lingering,  // all is said; the peer gets a while to read it
  };
  enum class Framing : std::uint8_t { length, chunked, connection };
  static constexpr runtime::TimePoint kNever = runtime::TimePoint::max();

  // Reading: each takes what it can from the front of the bytes and returns how much that was. All
  // may destroy the connection.
  std::size_t read(std::string_view bytes, const LifetimeWatch& watch);
  std::size_t read_head(std::string_view bytes);
  std::size_t read_body(std::string_view bytes);
  void read_held();
  /// Whether there was room for it.
  [[nodiscard]] bool append_body(std::string_view piece);
  void charge_body(std::size_t bytes);
  void begin_request(std::string_view head, bool more_follows);
  void dispatch();
  void refuse(HttpRefusal refusal);
  void refuse_early(HttpReply reply);
  void settle();

  // Writing.
  [[nodiscard]] bool closes_behind(const HttpReply& reply) const;
  void append_head(std::string& out, const HttpReply& reply, Framing framing, bool close);
  void append_status(std::string& out, int status);
  void append_common(std::string& out, bool close);
  void send_whole(const HttpReply& reply, bool close);
  void send(std::string_view bytes);
  void flush();
  void transmit(std::string_view bytes);
  void end_reply(bool close);

  // Ending. All destroy the connection, `linger` perhaps.
  void linger();
  void discard(std::size_t bytes);
  void lose();
  void remove();

  // Time.
  [[nodiscard]] runtime::TimePoint after(std::chrono::milliseconds wait) const;
  void set_deadline();
  void arm();
  void on_time();
  void on_deadline();

  HttpServerContext& server_;
  std::unique_ptr<runtime::ByteStream> stream_;
  HttpConnections::iterator self_;
  ConnectionExchange* exchange_ = nullptr;
  HttpRequest request_;        // while it is being read
  std::string added_headers_;  // for the reply to come, as text
  std::optional<HttpRequestParser> parser_;
  HeadScanner scanner_;
  std::string held_;           // bytes that couldn't be used yet
  std::size_t held_from_ = 0;  // where in `held_` they begin

  runtime::TimePoint deadline_ = kNever;        // of the phase
  runtime::TimePoint write_deadline_ = kNever;  // for the peer to take some of what is queued
  runtime::TimePoint timer_at_ = kNever;
  runtime::TimerId timer_ = runtime::TimerId::none;
  runtime::TimerId wake_ = runtime::TimerId::none;
  std::uint64_t sent_ = 0;
  std::uint64_t taken_ = 0;  // of those, at the last look
  std::size_t discarded_ = 0;
  std::size_t charged_ = 0;  // of the server's `body_bytes`
  std::uint8_t blank_lines_ = 0;  // before the request to come
  runtime::TimePoint stream_began_ = kNever;  // the one opened within `read`

  Phase phase_ = Phase::idle;
  Framing framing_ = Framing::length;
  bool reading_ = false;  // within `read`: what is sent is gathered
  bool paused_ = false;
  bool peer_ended_ = false;
  bool keep_alive_ = true;
  bool head_only_ = false;
  bool http10_ = false;
  bool head_timed_ = false;  // the deadline of the head at hand is set
  bool close_behind_ = false;
  Lifetime life_;
};

}  // namespace squall::transport
