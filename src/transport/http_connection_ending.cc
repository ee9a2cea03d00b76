#include <algorithm>
#include <utility>

#include "http_connection.h"
#include "http_exchange.h"

/// @file How a connection ends: by itself, by its peer, or by the clock.

namespace squall::transport {

namespace {

/// How long and how much we listen to a peer that we have nothing more to say to, so that it reads
/// our last reply before it learns that its own bytes were lost.
constexpr std::chrono::seconds kLingerTime{2};
/// The same when the whole server is waiting to end.
constexpr std::chrono::milliseconds kDrainingLingerTime{200};
constexpr std::size_t kLingerBytesMax = 32 << 20;
/// A longer time to wait is taken for "never".
constexpr std::chrono::hours kWaitMax{24 * 365 * 100};

}  // namespace

void HttpConnection::linger() {
  phase_ = Phase::lingering;
  held_ = {};
  held_from_ = 0;
  request_ = {};
  charge_body(0);
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
