#include "golden_lane.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "squall/base/text.h"

#include "golden_script.h"

namespace squall::server::golden {

namespace {

/// Of no account to MCP, or the same on every reply (`option: headers=all` shows them once).
constexpr std::array<std::string_view, 6> kQuietHeaders{"date",          "content-length",
                                                        "connection",    "transfer-encoding",
                                                        "cache-control", "x-accel-buffering"};

constexpr std::string_view kLineEnd = " \u23ce ";

/// The message an event carries, or "".
std::string event_data(std::string_view event) {
  for (const std::string& line : split_lines(event)) {
    if (line.starts_with("data: ")) return line.substr(6);
  }
  return {};
}

}  // namespace

void Lane::connect(std::unique_ptr<runtime::ByteStream> stream) {
  stream_ = std::move(stream);
  stream_->start(*this);
}

void Lane::close() { stream_ = nullptr; }

void Lane::on_end(runtime::End end) {
  hear(end == runtime::End::reset ? "(reset)" : "(closed)");
  stream_ = nullptr;
}

void LineLane::on_bytes(std::string_view bytes) {
  buffer_ += bytes;
  for (std::size_t end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    hear(line, line);
  }
}

void HttpLane::on_bytes(std::string_view bytes) {
  buffer_ += bytes;
  while (step()) {
  }
}

void HttpLane::reset() {
  state_ = State::head;
  buffer_.clear();
  body_.clear();
  busy_ = false;
}

bool HttpLane::step() {
  if (buffer_.empty()) return false;
  switch (state_) {
    case State::head:
      return read_head();
    case State::chunk_size:
      return read_chunk_size();
    case State::chunk_end:
      if (buffer_.size() < 2) return false;
      buffer_.erase(0, 2);
      state_ = State::chunk_size;
      return true;
    case State::length:
    case State::chunk: {
      const std::size_t size = std::min(left_, buffer_.size());
      const std::string piece = buffer_.substr(0, size);
      buffer_.erase(0, size);
      left_ -= size;
      take_body(piece);
      if (left_ != 0) return false;
      if (state_ == State::length) {
        end_body();
      } else {
        state_ = State::chunk_end;
      }
      return true;
    }
  }
  return false;
}

void HttpLane::take_header(std::string_view header, std::string_view value, std::string& line) {
  if (header == "content-length") std::from_chars(value.data(), value.data() + value.size(), left_);
  if (header == "transfer-encoding") chunked_ = true;
  if (header == "content-type") events_ = value == "text/event-stream";
  if (header == "mcp-session-id") session_id_ = value;
  const bool quiet =
      std::find(kQuietHeaders.begin(), kQuietHeaders.end(), header) != kQuietHeaders.end();
  // The date is real even where time is not; the length is the body's.
  if (quiet && (!all_headers_ || header == "date" || header == "content-length")) return;
  line += " | " + std::string(header) + ": " + std::string(value);
}

bool HttpLane::read_head() {
  const std::size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  std::string head = buffer_.substr(0, end);
  replace_all(head, "\r", "");
  buffer_.erase(0, end + 4);
  chunked_ = events_ = false;
  left_ = 0;
  std::string line = head.substr(9, 3);
  for (std::string& header :
       split_lines(head.substr(std::min(head.find('\n'), head.size() - 1) + 1))) {
    const std::size_t colon = header.find(':');
    take_header(base::to_lower(header.substr(0, colon)),
                base::trim(std::string_view(header).substr(colon + 1)), line);
  }
  hear(line);
  state_ = chunked_ ? State::chunk_size : State::length;
  if (!chunked_ && left_ == 0) end_body();
  return true;
}

bool HttpLane::read_chunk_size() {
  const std::size_t end = buffer_.find("\r\n");
  if (end == std::string::npos) return false;
  std::from_chars(buffer_.data(), buffer_.data() + end, left_, 16);
  buffer_.erase(0, end + 2);
  state_ = State::chunk;
  if (left_ == 0) {
    buffer_.erase(0, 2);
    hear("(end)");
    end_body();
  }
  return true;
}

void HttpLane::take_body(std::string_view bytes) {
  body_ += bytes;
  if (!events_) return;
  for (std::size_t end = body_.find("\n\n"); end != std::string::npos; end = body_.find("\n\n")) {
    std::string event = body_.substr(0, end);
    body_.erase(0, end + 2);
    std::string message = event_data(event);
    replace_all(event, "\n", kLineEnd);
    hear(std::move(event), std::move(message));
  }
}

void HttpLane::end_body() {
  std::string body = std::exchange(body_, {});
  if (!body.empty()) {
    std::string message = body.starts_with('{') || body.starts_with('[') ? body : std::string();
    replace_all(body, "\n", kLineEnd);
    hear(std::move(body), std::move(message));
  }
  state_ = State::head;
  busy_ = false;
}

}  // namespace squall::server::golden
