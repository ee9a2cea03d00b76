#include <algorithm>
#include <utility>

#include "http_connection.h"
#include "http_exchange.h"

/// @file How a connection replies: what is said, and when it leaves.

namespace squall::transport {

namespace {

/// What a connection sends while it reads leaves in one write, unless it gets this large: replies
/// to requests that came together, and a stream's head, events and end if it takes no longer.
constexpr std::size_t kGatheredBytesMax = 64 << 10;
constexpr std::chrono::milliseconds kGatheredTimeMax{1};

}  // namespace

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

}  // namespace squall::transport
