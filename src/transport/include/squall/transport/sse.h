#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// @file Server-sent events (the HTML standard, section 9.2), without IO.

namespace squall::transport {

/// One event to send. `data` may hold line breaks; it is split as the standard says.
struct SseEvent {
  std::string_view event = "message";  ///< "" leaves the field out
  std::string_view id;                 ///< "" leaves the field out
  std::optional<std::uint32_t> retry_ms;
  std::string_view data;
};
void append_sse(std::string& out, const SseEvent& event);
/// Appends ": text" and a blank line, which clients ignore.
void append_sse_comment(std::string& out, std::string_view text);

/// Reads a stream of events, any cut of the bytes giving the same events.
class SseReader {
 public:
  struct Event {
    std::string type;  ///< "message" when the stream names none
    std::string data;
    std::string last_id;  ///< the last id seen so far, this event's or an earlier one's
    bool has_data = false;
  };
  /// What the reader hands on. Events without a data field are reported too (`has_data` false or
  /// `data` empty), because their id counts.
  using OnEvent = std::function<void(Event&&)>;

  explicit SseReader(std::size_t event_bytes_max = 16 << 20) : event_bytes_max_(event_bytes_max) {}
  /// False when an event grew beyond the limit; the reader is then of no further use.
  [[nodiscard]] bool feed(std::string_view bytes, const OnEvent& on_event);
  [[nodiscard]] const std::string& last_id() const noexcept { return last_id_; }
  /// The last `retry:` of the stream.
  [[nodiscard]] std::optional<std::uint32_t> retry_ms() const noexcept { return retry_ms_; }

 private:
  void end_line(const OnEvent& on_event);
  std::size_t event_bytes_max_;
  std::string line_;
  Event event_;
  std::string last_id_;
  std::optional<std::uint32_t> retry_ms_;
  bool id_seen_ = false;
  bool first_line_ = true;
  bool after_cr_ = false;
};

}  // namespace squall::transport
