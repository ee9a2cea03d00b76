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
  /// False when an event grew beyond the limit; the reader is then of no further use. `on_event`
  /// must not destroy the reader.
  [[nodiscard]] bool feed(std::string_view bytes, const OnEvent& on_event);
  /// The id to resume from: the last one of an event that has ended.
  [[nodiscard]] const std::string& last_id() const noexcept { return last_id_; }
  /// The last `retry:` of the stream.
  [[nodiscard]] std::optional<std::uint32_t> retry_ms() const noexcept { return retry_ms_; }

 private:
  void end_line(std::string_view line, const OnEvent& on_event);
  void on_field(std::string_view name, std::string_view value);
  void dispatch(const OnEvent& on_event);
  [[nodiscard]] std::size_t held() const noexcept;

  std::size_t event_bytes_max_;
  std::string line_;  // the line at hand, when it came in several pieces
  Event event_;
  std::string id_;       // of the event at hand, or an earlier one's
  std::string last_id_;  // as of the last event that ended
  std::optional<std::uint32_t> retry_ms_;
  bool field_seen_ = false;
  bool first_line_ = true;
  bool after_cr_ = false;
};

}  // namespace squall::transport
