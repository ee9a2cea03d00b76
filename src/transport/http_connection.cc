#include "http_connection.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "http_exchange.h"

namespace squall::transport {

namespace {

/// How long and how much we listen to a peer that we have nothing more to say to, so that it reads
/// our last reply before it learns that its own bytes were lost.
constexpr std::chrono::seconds kLingerTime{2};
/// The same when the whole server is waiting to end.
constexpr std::chrono::milliseconds kDrainingLingerTime{200};
constexpr std::size_t kLingerBytesMax = 32 << 20;
/// What is set aside for a body on the strength of its Content-Length alone.
constexpr std::size_t kBodyReserveBytesMax = 4 << 10;
/// What a connection sends while it reads leaves in one write, unless it gets this large: replies
/// to requests that came together, and a stream's head, events and end if it takes no longer.
constexpr std::size_t kGatheredBytesMax = 64 << 10;
constexpr std::chrono::milliseconds kGatheredTimeMax{1};
/// A longer time to wait is taken for "never".
constexpr std::chrono::hours kWaitMax{24 * 365 * 100};

}  // namespace

HttpConnection::HttpConnection(HttpServerContext& server,
                               std::unique_ptr<runtime::ByteStream> stream)
    : server_(server), stream_(std::move(stream)) {}

HttpConnection::~HttpConnection() {
  flush();
  if (exchange_ != nullptr) exchange_->detach();
  server_.loop.cancel(timer_);
  server_.loop.cancel(wake_);
}

void HttpConnection::start(HttpConnections::iterator self) {
  self_ = self;
  set_deadline();
  stream_->start(*this);
}

void HttpConnection::drain() {
  if (phase_ != Phase::idle || held_from_ < held_.size()) return;
  if (pending() == 0) {
    remove();
  } else {
    linger();
  }
}

// ---- Reading

void HttpConnection::on_bytes(std::string_view bytes) {
  if (phase_ == Phase::lingering) {
    discard(bytes.size());
    return;
  }
  if (!held_.empty()) {
    held_.append(bytes);
    read_held();
    return;
  }
  LifetimeWatch watch(life_);
  const std::size_t used = read(bytes, watch);
  if (watch.ended()) return;
  if (phase_ != Phase::lingering) held_.assign(bytes.substr(used));
  settle();
}

void HttpConnection::read_held() {
  if (held_.empty() || phase_ == Phase::lingering) return;
  LifetimeWatch watch(life_);
  std::string bytes = std::exchange(held_, {});
  std::size_t from = std::exchange(held_from_, 0);
  from += read(std::string_view(bytes).substr(from), watch);
  if (watch.ended()) return;
  if (phase_ != Phase::lingering && from < bytes.size()) {
    held_ = std::move(bytes);
    held_from_ = from;
    if (held_from_ > held_.size() / 2) held_.erase(0, std::exchange(held_from_, 0));
  }
  settle();
}

std::size_t HttpConnection::read(std::string_view bytes, const LifetimeWatch& watch) {
  reading_ = true;
  stream_began_ = kNever;
  std::size_t used = 0;
  while (used < bytes.size()) {
    std::size_t step = 0;
    if (phase_ == Phase::idle || phase_ == Phase::head) {
      step = read_head(bytes.substr(used));
    } else if (phase_ == Phase::body || phase_ == Phase::skipping) {
      step = read_body(bytes.substr(used));
    }
    if (watch.ended()) return 0;
    if (step == 0) break;
    used += step;
  }
  flush();
  reading_ = false;
  return used;
}

std::size_t HttpConnection::read_head(std::string_view bytes) {
  if (phase_ == Phase::idle) {
    // A peer that asks much and reads nothing waits until it has taken the reply before.
    if (pending() > 0) return 0;
    if (bytes.starts_with("\r\n")) return 2;  // RFC 9112 section 2.2
    if (bytes == "\r") return 0;
    phase_ = Phase::head;
    scanner_ = {};
    head_timed_ = false;
    head_only_ = false;
    keep_alive_ = true;
  }
  const std::size_t max = server_.options.header_bytes_max;
  switch (scanner_.scan(bytes.substr(0, max))) {
    case HeadScanner::State::bad:
      refuse({400, "the request is malformed"});
      return 0;
    case HeadScanner::State::more:
      if (bytes.size() >= max) refuse({431, "the header is too large"});
      return 0;
    case HeadScanner::State::complete:
      break;
  }
  const std::size_t size = scanner_.size();
  begin_request(bytes.substr(0, size), bytes.size() > size);
  return size;
}

void HttpConnection::begin_request(std::string_view head, bool more_follows) {
  request_ = {};
  request_.head_ = std::make_unique_for_overwrite<char[]>(head.size());
  std::memcpy(request_.head_.get(), head.data(), head.size());
  request_.headers.reserve(std::min(scanner_.header_lines(), server_.options.headers_max));
  parser_ = server_.take_parser();
  if (const auto refusal = parser_->read_head({request_.head_.get(), head.size()}, request_)) {
    refuse(*refusal);
    return;
  }
  keep_alive_ = request_.keep_alive;
  head_only_ = request_.method == "HEAD";
  http10_ = request_.version == 10;
  LifetimeWatch watch(life_);
  std::optional<HttpReply> early = server_.handler.on_head(request_);
  if (watch.ended()) return;
  if (early) {
    refuse_early(std::move(*early));
    return;
  }
  if (!parser_->has_body()) {
    dispatch();
    return;
  }
  phase_ = Phase::body;
  if (parser_->expects_continue() && !more_follows) send("HTTP/1.1 100 Continue\r\n\r\n");
}

std::size_t HttpConnection::read_body(std::string_view bytes) {
  const HttpBodyStep step = parser_->read_body(bytes);
  if (step.refusal) {
    if (phase_ == Phase::body) {
      refuse(*step.refusal);
    } else {
      linger();
    }
    return 0;
  }
  if (phase_ == Phase::body) append_body(step.piece);
  if (step.done && phase_ == Phase::body) {
    dispatch();
  } else if (step.done) {
    server_.give_parser(*std::exchange(parser_, std::nullopt));
    phase_ = Phase::idle;
  }
  return step.used;
}

void HttpConnection::append_body(std::string_view piece) {
  std::string& body = request_.body;
  const auto length = parser_->content_length();
  if (length && body.size() + piece.size() > body.capacity()) {
    // What has come vouches for as much again, and the length for no more than it says.
    const std::uint64_t at_hand =
        std::max(body.size() + std::max(piece.size(), body.size()), kBodyReserveBytesMax);
    body.reserve(static_cast<std::size_t>(std::min(*length, at_hand)));
  }
  body += piece;
}

void HttpConnection::dispatch() {
  server_.give_parser(*std::exchange(parser_, std::nullopt));
  phase_ = Phase::answering;
  auto exchange = std::allocate_shared<ConnectionExchange>(
      PoolAllocator<ConnectionExchange>(server_.exchanges), *this, server_.loop);
  exchange_ = exchange.get();
  server_.handler.on_request(std::move(request_), std::move(exchange));
}

void HttpConnection::add_header(std::string_view name, std::string_view value) {
  append_header(added_headers_, name, value);
}

void HttpConnection::refuse(HttpRefusal refusal) {
  LifetimeWatch watch(life_);
  HttpReply reply = server_.handler.on_refused(refusal.status, refusal.reason);
  if (watch.ended()) return;
  send_whole(reply, true);
  linger();
}

void HttpConnection::refuse_early(HttpReply reply) {
  // Whether a client that was to wait for "100 Continue" sends the body now can't be known.
  const bool close = closes_behind(reply) || parser_->expects_continue();
  const bool body_follows = parser_->has_body();
  request_ = {};
  send_whole(reply, close);
  if (close) {
    linger();
  } else if (body_follows) {
    phase_ = Phase::skipping;
  } else {
    server_.give_parser(*std::exchange(parser_, std::nullopt));
    phase_ = Phase::idle;
  }
}

/// What follows from a change of phase: deadlines, and whether more is read.
void HttpConnection::settle() {
  if (phase_ == Phase::lingering) return;
  const bool waits_for_reader = phase_ == Phase::idle && !held_.empty() && pending() > 0;
  if (peer_ended_) {
    if (phase_ == Phase::answering) {
      lose();
    } else if (!waits_for_reader && wake_ == runtime::TimerId::none) {
      linger();
    }
    return;
  }
  if (server_.draining && phase_ == Phase::idle && held_.empty()) {
    linger();
    return;
  }
  set_deadline();
  const bool busy = phase_ == Phase::answering || waits_for_reader;
  const std::size_t held_max = std::max<std::size_t>(1, server_.options.pipelined_bytes_max);
  const bool full = busy && held_.size() - held_from_ >= held_max;
  if (full == paused_) return;
  paused_ = full;
  if (full) {
    stream_->pause();
  } else {
    stream_->resume();
  }
}

void HttpConnection::on_end(runtime::End end) {
  peer_ended_ = true;
  if (phase_ == Phase::answering) {
    // 2025-11-25 and later: a client that hangs up takes its request back.
    lose();
  } else if (end == runtime::End::reset || (pending() == 0 && wake_ == runtime::TimerId::none)) {
    remove();
  } else if (phase_ != Phase::lingering) {
    settle();
  }
}

// ---- Writing

void HttpConnection::reply(HttpReply reply) {
  const bool close = closes_behind(reply);
  send_whole(reply, close);
  end_reply(close);
}

void HttpConnection::reply_json(int status, std::string_view body) {
  const bool close = !keep_alive_ || server_.draining;
  std::string& out = server_.begin_output();
  append_status(out, status);
  out += "Content-Type: application/json\r\n";
  append_common(out, close);
  out += "Content-Length: ";
  append_number(out, body.size());
  out += "\r\n\r\n";
  // A large body isn't copied behind its head, which then leaves in a write of its own.
  const bool large = body.size() > kGatheredBytesMax;
  if (!head_only_ && !large) out += body;
  send(out);
  if (!head_only_ && large) send(body);
  end_reply(close);
}

void HttpConnection::open(const HttpReply& head, std::string_view first) {
  framing_ = http10_ ? Framing::connection : Framing::chunked;
  close_behind_ = closes_behind(head) || http10_;
  if (reading_) stream_began_ = server_.loop.now();
  std::string& out = server_.begin_output();
  append_head(out, head, framing_, close_behind_);
  if (!first.empty() && !head_only_) {
    if (framing_ == Framing::chunked) {
      append_chunk(out, first);
    } else {
      out += first;
    }
  }
  send(out);
}

void HttpConnection::write(std::string_view bytes) {
  if (bytes.empty() || head_only_) return;
  if (framing_ == Framing::connection) {
    send(bytes);
    return;
  }
  std::string& out = server_.begin_output();
  append_chunk(out, bytes);
  send(out);
}

void HttpConnection::finish() {
  if (framing_ == Framing::chunked && !head_only_) send("0\r\n\r\n");
  end_reply(close_behind_ || server_.draining);
}

void HttpConnection::drop(bool reset) {
  if (reset) {
    flush();
    stream_->reset();
    remove();
    return;
  }
  std::exchange(exchange_, nullptr)->detach();
  linger();
}

void HttpConnection::abandon(bool streaming) {
  exchange_ = nullptr;
  if (!streaming) {
    HttpReply reply;
    reply.status = 500;
    send_whole(reply, true);
  }
  linger();
}

bool HttpConnection::closes_behind(const HttpReply& reply) const {
  return reply.close || !keep_alive_ || server_.draining;
}

void HttpConnection::append_status(std::string& out, int status) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
    return;
  }
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::size_t>(std::clamp(status, 100, 999)));
  out += ' ';
  out += reason_phrase(status);
  out += "\r\n";
}

void HttpConnection::append_common(std::string& out, bool close) {
  out += server_.date_line();
  if (close) {
    out += "Connection: close\r\n";
  } else if (http10_) {
    out += "Connection: keep-alive\r\n";
  }
  out += added_headers_;
}

void HttpConnection::append_head(std::string& out, const HttpReply& reply, Framing framing,
                                 bool close) {
  append_status(out, reply.status);
  if (!reply.content_type.empty()) append_header(out, "Content-Type", reply.content_type);
  append_common(out, close);
  for (const auto& [name, value] : reply.headers) {
    if (!is_framing_header(name)) append_header(out, name, value);
  }
  if (framing == Framing::chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (framing == Framing::length && reply.status != 204 && reply.status >= 200) {
    out += "Content-Length: ";
    append_number(out, reply.body.size());
    out += "\r\n";
  }
  out += "\r\n";
}

void HttpConnection::send_whole(const HttpReply& reply, bool close) {
  std::string& out = server_.begin_output();
  append_head(out, reply, Framing::length, close);
  const bool bodiless = head_only_ || reply.status == 204 || reply.status == 304;
  if (!bodiless) out += reply.body;
  send(out);
}

void HttpConnection::send(std::string_view bytes) {
  if (!reading_ || pending() > 0) {
    transmit(bytes);
    return;
  }
  std::string& gathered = server_.gathered();
  const bool old = stream_began_ != kNever && server_.loop.now() - stream_began_ > kGatheredTimeMax;
  if (old || gathered.size() + bytes.size() > kGatheredBytesMax) flush();
  if (old || bytes.size() > kGatheredBytesMax) {
    transmit(bytes);
    return;
  }
  gathered += bytes;
}

/// Nothing but the connection that reads gathers, so what there is while it reads is its own.
void HttpConnection::flush() {
  std::string& gathered = server_.gathered();
  if (!reading_ || gathered.empty()) return;
  transmit(gathered);
  gathered.clear();
}

void HttpConnection::transmit(std::string_view bytes) {
  stream_->send(bytes);
  sent_ += bytes.size();
  if (pending() == 0 || write_deadline_ != kNever) return;
  taken_ = sent_ - pending();
  write_deadline_ = after(server_.options.write_idle_timeout);
  arm();
}

void HttpConnection::end_reply(bool close) {
  added_headers_.clear();
  std::exchange(exchange_, nullptr)->detach();
  if (close) {
    linger();
    return;
  }
  phase_ = Phase::idle;
  if (reading_) return;
  // Not from here: the next request must not reach the handler inside its reply to this one.
  if (!held_.empty() && wake_ == runtime::TimerId::none) {
    wake_ = server_.loop.call_after(runtime::Duration::zero(), [this] {
      wake_ = runtime::TimerId::none;
      read_held();
    });
  }
  settle();
}

void HttpConnection::on_drained() {
  write_deadline_ = kNever;
  if (phase_ == Phase::lingering) {
    if (peer_ended_) {
      remove();
    } else {
      set_deadline();
    }
  } else if (phase_ == Phase::answering) {
    exchange_->tell_drained();
  } else if (!held_.empty()) {
    read_held();
  } else {
    settle();
  }
}

// ---- Ending

void HttpConnection::linger() {
  phase_ = Phase::lingering;
  held_ = {};
  held_from_ = 0;
  request_ = {};
  if (parser_) server_.give_parser(*std::exchange(parser_, std::nullopt));
  flush();
  stream_->finish();
  if (std::exchange(paused_, false)) stream_->resume();
  if (peer_ended_ && pending() == 0) {
    remove();
  } else {
    set_deadline();
  }
}

void HttpConnection::discard(std::size_t bytes) {
  discarded_ += bytes;
  if (discarded_ > kLingerBytesMax) remove();
}

/// The peer went away while a reply was under way.
void HttpConnection::lose() {
  auto gone = std::exchange(exchange_, nullptr)->detach_gone();
  remove();
  if (gone) gone();
}

void HttpConnection::remove() { server_.remove(self_); }

// ---- Time

runtime::TimePoint HttpConnection::after(std::chrono::milliseconds wait) const {
  return wait > kWaitMax ? kNever : server_.loop.now() + wait;
}

void HttpConnection::set_deadline() {
  const HttpServerOptions& options = server_.options;
  switch (phase_) {
    case Phase::idle:
      deadline_ = pending() == 0 ? after(options.keep_alive_timeout) : kNever;
      break;
    case Phase::head:
      if (!std::exchange(head_timed_, true)) deadline_ = after(options.header_timeout);
      break;
    case Phase::body:
    case Phase::skipping:
      deadline_ = after(options.body_idle_timeout);
      break;
    case Phase::answering:
      deadline_ = kNever;
      break;
    case Phase::lingering:
      deadline_ =
          pending() == 0 ? after(server_.draining ? kDrainingLingerTime : kLingerTime) : kNever;
      break;
  }
  arm();
}

/// One timer serves all deadlines. It is left alone while it is early enough, so that a busy
/// connection sets it about once a timeout rather than once a request.
void HttpConnection::arm() {
  const runtime::TimePoint next = std::min(deadline_, write_deadline_);
  if (next == kNever || (timer_ != runtime::TimerId::none && timer_at_ <= next)) return;
  server_.loop.cancel(timer_);
  timer_at_ = next;
  timer_ = server_.loop.call_after(next - server_.loop.now(), [this] {
    timer_ = runtime::TimerId::none;
    on_time();
  });
}

void HttpConnection::on_time() {
  const runtime::TimePoint now = server_.loop.now();
  if (now >= write_deadline_) {
    const std::uint64_t taken = sent_ - pending();
    if (taken == taken_) {
      stream_->reset();
      if (exchange_ != nullptr) {
        lose();
      } else {
        remove();
      }
      return;
    }
    taken_ = taken;
    write_deadline_ = after(server_.options.write_idle_timeout);
  }
  if (now >= deadline_) {
    on_deadline();
  } else {
    arm();
  }
}

void HttpConnection::on_deadline() {
  switch (phase_) {
    case Phase::head:
    case Phase::body:
      refuse({408, "the request took too long"});
      break;
    case Phase::idle:
    case Phase::skipping:
    case Phase::lingering:
      remove();
      break;
    case Phase::answering:
      break;
  }
}

}  // namespace squall::transport
