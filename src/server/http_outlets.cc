#include "http_outlets.h"

#include <algorithm>

#include "squall/transport/sse.h"

namespace squall::server {

namespace {
/// Progress and log messages are dropped while a reader is this far behind.
constexpr std::size_t kDroppableBytesMax = 1 << 20;
/// A subscription whose reader is this far behind ends.
constexpr std::size_t kPendingBytesMax = 8 << 20;
}  // namespace

const transport::HttpReply& sse_head() {
  static const transport::HttpReply kHead = {
      .content_type = "text/event-stream",
      .headers = {{"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}}};
  return kHead;
}

void EventStream::open(std::string_view first) {
  open_ = true;
  exchange_->open(sse_head(), first);
  keep_alive_->add(exchange_);
}

void EventStream::send(std::string_view message, bool droppable) {
  if (droppable && exchange_->pending() > kDroppableBytesMax) return;
  std::string frame;
  transport::append_sse(frame, {.event = "message", .id = "", .retry_ms = {}, .data = message});
  if (!open_) return open(frame);
  exchange_->write(frame);
}

void ReplyOutlet::send(std::string_view message, bool droppable) {
  stream_.send(message, droppable);
}

void ReplyOutlet::finish(int status, std::string_view response) {
  if (session_) session_->end(id_);
  if (!stream_.is_open()) return stream_.exchange().reply_json(status, response);
  stream_.send(response, false);
  stream_.finish();
}

bool ReplyOutlet::choked(std::size_t share) const {
  return stream_.exchange().pending() > std::min(share, kPendingBytesMax);
}

void ReplyOutlet::abandon() {
  if (session_) session_->end(id_);
  if (choked(kPendingBytesMax)) return stream_.exchange().drop(true);
  // No response will come: an empty stream says so without inventing one.
  if (!stream_.is_open()) stream_.open({});
  stream_.finish();
}

void ReplyOutlet::cut(Cut how, std::string_view last) {
  if (session_) session_->end(id_);
  transport::HttpExchange& exchange = stream_.exchange();
  if (!last.empty() && !stream_.is_open()) {
    exchange.open({.content_type = "application/json"}, last);
  } else if (!last.empty()) {
    exchange.write("event: message\ndata: " + std::string(last));
  }
  exchange.drop(how == Cut::reset);
}

std::uint64_t ResumableOutlet::open() {
  if (stream_) return *stream_;
  stream_ = session_->streams->open(exchange_, sse_head());
  keep_alive_->add(exchange_);
  exchange_->on_gone([weak = std::weak_ptr(session_), raw = exchange_.get(),
                      attachment = Session::Attachment(session_, loop_)] {
    if (const auto alive = weak.lock()) alive->streams->detach(raw);
  });
  exchange_ = nullptr;
  return *stream_;
}

void ResumableOutlet::send(std::string_view message, bool) {
  session_->streams->publish(open(), message, &loop_, false);
}

void ResumableOutlet::finish(int, std::string_view response) {
  session_->end(id_);
  if (stream_) {
    session_->streams->publish(*stream_, response, &loop_, true);
  } else {
    session_->streams->answer(exchange_, sse_head(), response);
  }
}

void ResumableOutlet::abandon() {
  session_->end(id_);
  session_->streams->close(open());
}

void ResumableOutlet::cut(Cut how, std::string_view last) {
  session_->end(id_);
  session_->streams->cut(open(), last, how == Cut::reset);
}

void ResumableOutlet::release() { session_->streams->release(open()); }

}  // namespace squall::server
