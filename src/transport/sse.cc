#include "squall/transport/sse.h"

#include <charconv>
#include <utility>

namespace squall::transport {

namespace {

/// Calls `on_line` for each line of `text`, broken at LF, CR or CR LF.
template <typename OnLine>
void for_each_line(std::string_view text, OnLine on_line) {
  // JSON is one line, which is found out much faster than where lines end.
  if (text.find('\n') == std::string_view::npos && text.find('\r') == std::string_view::npos) {
    on_line(text);
    return;
  }
  for (;;) {
    const std::size_t end = text.find_first_of("\r\n");
    on_line(text.substr(0, end));
    if (end == std::string_view::npos) return;
    const bool pair = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    text.remove_prefix(end + (pair ? 2 : 1));
  }
}

/// A field that can only be one line: what would break it is left out, so that no value can smuggle
/// in a field of its own.
void append_field(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  for (const char c : value) {
    if (c != '\r' && c != '\n' && c != '\0') out += c;
  }
  out += '\n';
}

std::optional<std::uint32_t> read_digits(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void append_sse(std::string& out, const SseEvent& event) {
  if (!event.event.empty()) append_field(out, "event", event.event);
  if (!event.id.empty()) append_field(out, "id", event.id);
  if (event.retry_ms) {
    out += "retry: ";
    out += std::to_string(*event.retry_ms);
    out += '\n';
  }
  for_each_line(event.data, [&out](std::string_view line) {
    out += "data: ";
    out += line;
    out += '\n';
  });
  out += '\n';
}

void append_sse_comment(std::string& out, std::string_view text) {
  for_each_line(text, [&out](std::string_view line) {
    out += ": ";
    out += line;
    out += '\n';
  });
  out += '\n';
}

bool SseReader::feed(std::string_view bytes, const OnEvent& on_event) {
  while (!bytes.empty()) {
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + held() + part.size() > event_bytes_max_) return false;
    if (end == std::string_view::npos) {
      line_ += part;
      return true;
    }
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (line_.empty()) {
      end_line(part, on_event);
      continue;
    }
    line_ += part;
    const std::string line = std::exchange(line_, {});
    end_line(line, on_event);
  }
  return true;
}

std::size_t SseReader::held() const noexcept {
  return event_.data.size() + event_.type.size() + id_.size();
}

void SseReader::end_line(std::string_view line, const OnEvent& on_event) {
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) {
    line.remove_prefix(3);
  }
  if (line.empty()) {
    dispatch(on_event);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == 0) return;
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  on_field(name, value);
}

void SseReader::on_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    if (event_.has_data) event_.data += '\n';
    event_.data += value;
    event_.has_data = true;
    field_seen_ = true;
  } else if (name == "event") {
    event_.type = value;
    field_seen_ = true;
  } else if (name == "id") {
    if (value.find('\0') != std::string_view::npos) return;
    id_ = value;
    field_seen_ = true;
  } else if (name == "retry") {
    if (const auto number = read_digits(value)) retry_ms_ = number;
  }
}

void SseReader::dispatch(const OnEvent& on_event) {
  // The id counts from here on, so that a stream cut inside an event is resumed before that event.
  last_id_ = id_;
  Event event = std::exchange(event_, {});
  if (!std::exchange(field_seen_, false)) return;
  if (event.type.empty()) event.type = "message";
  event.last_id = last_id_;
  on_event(std::move(event));
}

}  // namespace squall::transport
