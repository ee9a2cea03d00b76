#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/transport/sse.h"

// The first byte says where the stream is cut in two, which must make no difference; and any text
// sent as an event must come back as it is, but for its line breaks.
namespace {

using squall::transport::SseReader;

std::string read(std::string_view first, std::string_view second) {
  SseReader reader(256);
  std::string seen;
  const SseReader::OnEvent on_event = [&seen](SseReader::Event&& event) {
    SQUALL_ASSERT(event.data.size() <= 256);
    seen += event.type + "|" + event.data + "|" + event.last_id + "\n";
  };
  if (!reader.feed(first, on_event) || !reader.feed(second, on_event)) return "too large";
  return seen + reader.last_id() + std::to_string(reader.retry_ms().value_or(0));
}

std::string with_line_feeds(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i > 0 && text[i - 1] == '\r') continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = text.size() * data[0] / 256;
  SQUALL_ASSERT(read(text, "") == read(text.substr(0, cut), text.substr(cut)));

  std::string sent;
  squall::transport::append_sse(sent, {.event = text, .id = text, .retry_ms = 1, .data = text});
  SseReader reader;
  int events = 0;
  SQUALL_ASSERT(reader.feed(sent, [&](SseReader::Event&& event) {
    ++events;
    SQUALL_ASSERT(event.data == with_line_feeds(text));
  }));
  SQUALL_ASSERT(events == 1);
  return 0;
}
