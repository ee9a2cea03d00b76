#include "http_connection.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "http_exchange.h"

namespace squall::transport {

namespace {

/// What is set aside for a body on the strength of its Content-Length alone.
constexpr std::size_t kBodyReserveBytesMax = 4 << 10;

/// How many empty lines may come before a request; RFC 9112 section 2.2 wants one to be let pass.
constexpr std::uint8_t kBlankLinesMax = 4;

}  // namespace

HttpConnection::HttpConnection(HttpServerContext& server,
                               std::unique_ptr<runtime::ByteStream> stream)
    : server_(server), stream_(std::move(stream)) {}

HttpConnection::~HttpConnection() {
  flush();
  charge_body(0);
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
    if (bytes.starts_with("\r\n")) {
      if (blank_lines_++ < kBlankLinesMax) return 2;
      refuse({400, "empty lines instead of a request"});
      return 0;
    }
    if (bytes == "\r") return 0;
    phase_ = Phase::head;
    blank_lines_ = 0;
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
  if (phase_ == Phase::body && !append_body(step.piece)) {
    refuse({503, "too much is being received already"});
    return 0;
  }
  if (step.done && phase_ == Phase::body) {
    dispatch();
  } else if (step.done) {
    server_.give_parser(*std::exchange(parser_, std::nullopt));
    phase_ = Phase::idle;
  }
  return step.used;
}

void HttpConnection::charge_body(std::size_t bytes) {
  server_.body_bytes += bytes - charged_;
  charged_ = bytes;
}

bool HttpConnection::append_body(std::string_view piece) {
  std::string& body = request_.body;
  const auto length = parser_->content_length();
  if (length && body.size() + piece.size() > body.capacity()) {
    // What has come vouches for as much again, and the length for no more than it says.
    const std::uint64_t at_hand =
        std::max(body.size() + std::max(piece.size(), body.size()), kBodyReserveBytesMax);
    body.reserve(static_cast<std::size_t>(std::min(*length, at_hand)));
  }
  body += piece;
  if (body.capacity() > kBodyReserveBytesMax) charge_body(body.capacity());
  return server_.body_bytes <= server_.options.bodies_bytes_max;
}

void HttpConnection::dispatch() {
  server_.give_parser(*std::exchange(parser_, std::nullopt));
  charge_body(0);
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

/// Requests wait behind the one under way, but nobody for their answers.
void HttpConnection::on_peer_finished() {
  if (phase_ == Phase::answering) lose();
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

}  // namespace squall::transport
