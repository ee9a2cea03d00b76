#include "session_streams.h"

#include <charconv>
#include <vector>

#include "squall/transport/sse.h"

namespace squall::server {

namespace {

/// A stream whose reader falls this far behind is cut; what it missed can be resumed.
constexpr std::size_t kPendingBytesMax = 8 << 20;

struct EventId {
  std::uint64_t stream;
  std::uint64_t number;
};

std::optional<EventId> read_event_id(std::string_view text) {
  EventId id{};
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, id.stream);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, id.number);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return id;
}

void end_exchange(const std::shared_ptr<transport::HttpExchange>& exchange) {
  exchange->loop().post([exchange] { exchange->finish(); });
}

}  // namespace

std::string SessionStreams::event_id(std::uint64_t stream) {
  return std::to_string(stream) + "-" + std::to_string(next_event_++);
}

void SessionStreams::trim(runtime::TimePoint now) {
  while (!events_.empty() &&
         (events_.size() > options_.events_max || event_bytes_ > options_.bytes_max ||
          now - events_.front().time > options_.keep)) {
    event_bytes_ -= events_.front().frame.size();
    const auto it = streams_.find(events_.front().stream);
    if (it != streams_.end() && --it->second.events == 0 && it->second.done) streams_.erase(it);
    events_.pop_front();
  }
}

void SessionStreams::keep(std::uint64_t stream, std::string frame, runtime::TimePoint now) {
  event_bytes_ += frame.size();
  ++streams_[stream].events;
  events_.push_back({stream, next_event_ - 1, now, std::move(frame)});
  trim(now);
}

std::uint64_t SessionStreams::open(const std::shared_ptr<transport::HttpExchange>& exchange,
                                   const transport::HttpReply& head) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_stream_++;
  Stream& stream = streams_[number];
  stream.exchange = exchange;
  std::string first;
  if (mcp::supports(revision_, mcp::Feature::priming_events)) {
    const std::string id = event_id(number);
    transport::append_sse(first, {.event = "",
                                  .id = id,
                                  .retry_ms = static_cast<std::uint32_t>(options_.retry.count()),
                                  .data = ""});
    keep(number, {}, exchange->loop().now());
  }
  exchange->open(head, first);
  return number;
}

void SessionStreams::attach_standalone(const std::shared_ptr<transport::HttpExchange>& exchange,
                                       const transport::HttpReply& head) {
  const std::lock_guard lock(mutex_);
  Stream& stream = streams_[kStandalone];
  if (stream.exchange) end_exchange(stream.exchange);
  stream.exchange = exchange;
  exchange->open(head, {});
}

bool SessionStreams::resume(std::string_view last_event_id,
                            const std::shared_ptr<transport::HttpExchange>& exchange,
                            const transport::HttpReply& head) {
  const std::optional<EventId> last = read_event_id(last_event_id);
  if (!last) return false;
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(last->stream);
  if (it == streams_.end()) return false;
  std::string replay;
  for (const Event& event : events_) {
    if (event.stream == last->stream && event.number > last->number) replay += event.frame;
  }
  Stream& stream = it->second;
  if (stream.exchange) end_exchange(stream.exchange);
  stream.exchange = nullptr;
  exchange->open(head, replay);
  if (stream.done) {
    exchange->finish();
  } else {
    stream.exchange = exchange;
  }
  return true;
}

void SessionStreams::write(Stream& stream, std::string_view frame, runtime::Loop* here, bool last) {
  const std::shared_ptr<transport::HttpExchange> exchange = stream.exchange;
  if (!exchange) return;
  if (last) stream.exchange = nullptr;
  const auto send = [exchange, last](std::string_view text) {
    if (exchange->pending() > kPendingBytesMax) return exchange->drop(true);
    exchange->write(text);
    if (last) exchange->finish();
  };
  if (&exchange->loop() == here) {
    send(frame);
  } else {
    exchange->loop().post([send, text = std::string(frame)] { send(text); });
  }
}

void SessionStreams::publish(std::uint64_t number, std::string_view message, runtime::Loop* here,
                             bool last) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end() || it->second.done) return;
  Stream& stream = it->second;
  if (!options_.enabled && !stream.exchange) return;
  std::string frame;
  const std::string id = options_.enabled ? event_id(number) : std::string();
  transport::append_sse(frame, {.event = "message", .id = id, .retry_ms = {}, .data = message});
  write(stream, frame, here, last);
  stream.done = last;
  if (options_.enabled) {
    // Without a loop at hand the time of the newest event is late enough.
    const runtime::TimePoint now =
        here != nullptr ? here->now()
                        : (events_.empty() ? runtime::TimePoint{} : events_.back().time);
    keep(number, std::move(frame), now);
  } else if (last) {
    streams_.erase(it);
  }
}

void SessionStreams::close(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  if (it->second.exchange) end_exchange(it->second.exchange);
  it->second.exchange = nullptr;
  it->second.done = true;
  if (it->second.events == 0) streams_.erase(it);
}

void SessionStreams::cut(std::uint64_t number, std::string_view begun, bool reset) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  if (const auto exchange = std::exchange(it->second.exchange, nullptr)) {
    std::string bytes;
    if (!begun.empty()) bytes = "event: message\ndata: " + std::string(begun);
    exchange->loop().post([exchange, bytes = std::move(bytes), reset] {
      exchange->write(bytes);
      exchange->drop(reset);
    });
  }
  it->second.done = true;
  if (it->second.events == 0) streams_.erase(it);
}

void SessionStreams::release(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end() || !it->second.exchange || !options_.enabled) return;
  if (!mcp::supports(revision_, mcp::Feature::priming_events)) return;
  end_exchange(it->second.exchange);
  it->second.exchange = nullptr;
}

void SessionStreams::detach(const transport::HttpExchange* exchange) {
  const std::lock_guard lock(mutex_);
  for (auto& [number, stream] : streams_) {
    if (stream.exchange.get() == exchange) stream.exchange = nullptr;
  }
}

void SessionStreams::end_standalone() {
  const std::lock_guard lock(mutex_);
  Stream& stream = streams_[kStandalone];
  if (stream.exchange) end_exchange(stream.exchange);
  stream.exchange = nullptr;
}

void SessionStreams::end() {
  const std::lock_guard lock(mutex_);
  for (auto& [number, stream] : streams_) {
    if (stream.exchange) end_exchange(stream.exchange);
    stream.exchange = nullptr;
  }
}

}  // namespace squall::server
