#include "session_streams.h"

#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

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

/// Appends "STREAM-NUMBER", an event's id.
void append_event_id(std::string& out, std::uint64_t stream, std::uint64_t number) {
  char digits[2 * std::numeric_limits<std::uint64_t>::digits10 + 4];
  char* const end = std::end(digits);
  char* at = std::to_chars(digits, end, stream).ptr;
  *at++ = '-';
  at = std::to_chars(at, end, number).ptr;
  out.append(digits, at);
}

/// Sends `frame` on the loop of the exchange, which the caller may be on.
void write(const std::shared_ptr<transport::HttpExchange>& exchange, std::string_view frame,
           runtime::Loop* here, bool last) {
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

}  // namespace

void SessionStreams::append_priming_event(std::string& out, std::uint64_t stream) {
  out += "id: ";
  append_event_id(out, stream, next_event_++);
  out += "\nretry: ";
  out += std::to_string(options_.retry.count());
  out += "\ndata: \n\n";
}

void SessionStreams::append_event(std::string& out, std::uint64_t stream,
                                  std::string_view message) {
  std::string id;
  if (options_.enabled) append_event_id(id, stream, next_event_++);
  transport::append_sse(out, {.event = "message", .id = id, .retry_ms = {}, .data = message});
}

void SessionStreams::trim(runtime::TimePoint now) {
  while (!events_.empty() &&
         (events_.size() > options_.events_max || event_bytes_ > options_.bytes_max ||
          now - events_.front().time > options_.keep)) {
    event_bytes_ -= events_.front().frame.size();
    events_.pop_front();
  }
}

void SessionStreams::keep(std::uint64_t stream, std::string frame, runtime::TimePoint now) {
  event_bytes_ += frame.size();
  events_.push_back({stream, next_event_ - 1, now, std::move(frame)});
  trim(now);
}

/// Late enough where no loop is at hand to ask.
runtime::TimePoint SessionStreams::time_of_newest() const {
  return events_.empty() ? runtime::TimePoint{} : events_.back().time;
}

void SessionStreams::answer(const std::shared_ptr<transport::HttpExchange>& exchange,
                            const transport::HttpReply& head, std::string_view message) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_stream_++;
  constexpr std::size_t kFieldsBytes = 128;
  std::string text;
  text.reserve(message.size() + kFieldsBytes);
  // Primed although the answer is there: a client that loses it on the way can ask for it.
  if (mcp::supports(revision_, mcp::Feature::priming_events)) append_priming_event(text, number);
  const std::size_t primed = text.size();
  append_event(text, number, message);
  exchange->open(head, text);
  exchange->finish();
  keep(number, text.substr(primed), exchange->loop().now());
}

std::uint64_t SessionStreams::open(const std::shared_ptr<transport::HttpExchange>& exchange,
                                   const transport::HttpReply& head) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_stream_++;
  streams_.emplace(number, exchange);
  std::string first;
  if (mcp::supports(revision_, mcp::Feature::priming_events)) append_priming_event(first, number);
  exchange->open(head, first);
  return number;
}

void SessionStreams::attach_standalone(const std::shared_ptr<transport::HttpExchange>& exchange,
                                       const transport::HttpReply& head) {
  const std::lock_guard lock(mutex_);
  Exchange& stream = streams_[kStandalone];
  if (stream) end_exchange(stream);
  stream = exchange;
  exchange->open(head, {});
}

bool SessionStreams::resume(std::string_view last_event_id,
                            const std::shared_ptr<transport::HttpExchange>& exchange,
                            const transport::HttpReply& head) {
  const std::optional<EventId> last = read_event_id(last_event_id);
  if (!last) return false;
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(last->stream);
  const bool goes_on = it != streams_.end();
  bool known = goes_on;
  std::string replay;
  for (const Event& event : events_) {
    if (event.stream != last->stream) continue;
    known = true;
    if (event.number > last->number) replay += event.frame;
  }
  if (!known) return false;
  if (goes_on && it->second) end_exchange(it->second);
  if (goes_on) it->second = exchange;
  exchange->open(head, replay);
  if (!goes_on) exchange->finish();
  return true;
}

void SessionStreams::publish(std::uint64_t number, std::string_view message, runtime::Loop* here,
                             bool last) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  const Exchange exchange = it->second;
  if (last) streams_.erase(it);
  if (!options_.enabled && !exchange) return;
  std::string frame;
  append_event(frame, number, message);
  if (exchange) write(exchange, frame, here, last);
  if (!options_.enabled) return;
  keep(number, std::move(frame), here != nullptr ? here->now() : time_of_newest());
}

/// An empty event tells those who come back for the stream that it is done.
void SessionStreams::end_without_event(Streams::iterator stream) {
  const std::uint64_t number = stream->first;
  streams_.erase(stream);
  if (options_.enabled) keep(number, {}, time_of_newest());
}

void SessionStreams::close(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  if (it->second) end_exchange(it->second);
  end_without_event(it);
}

void SessionStreams::cut(std::uint64_t number, std::string_view begun, bool reset) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  if (const Exchange exchange = it->second) {
    std::string bytes;
    if (!begun.empty()) bytes = "event: message\ndata: " + std::string(begun);
    exchange->loop().post([exchange, bytes = std::move(bytes), reset] {
      exchange->write(bytes);
      exchange->drop(reset);
    });
  }
  end_without_event(it);
}

void SessionStreams::release(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto it = streams_.find(number);
  if (it == streams_.end() || !it->second || !options_.enabled) return;
  if (!mcp::supports(revision_, mcp::Feature::priming_events)) return;
  end_exchange(std::exchange(it->second, nullptr));
}

void SessionStreams::detach(const transport::HttpExchange* exchange) {
  const std::lock_guard lock(mutex_);
  for (auto& [number, stream] : streams_) {
    if (stream.get() == exchange) stream = nullptr;
  }
}

void SessionStreams::end_standalone() {
  const std::lock_guard lock(mutex_);
  if (const Exchange exchange = std::exchange(streams_[kStandalone], nullptr)) {
    end_exchange(exchange);
  }
}

void SessionStreams::end() {
  const std::lock_guard lock(mutex_);
  for (auto& [number, stream] : streams_) {
    if (const Exchange exchange = std::exchange(stream, nullptr)) end_exchange(exchange);
  }
}

}  // namespace squall::server
