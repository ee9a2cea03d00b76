#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) { want_stream(scene, "events that are framed unusually"); }

std::string with_line_ends(std::string_view event, std::string_view variant) {
  constexpr std::string_view kEnds[] = {"\r\n", "\n", "\r"};
  std::string out;
  std::size_t line = 0;
  for (const char c : event) {
    if (c != '\n') {
      out += c;
      continue;
    }
    if (variant == "crlf") out += "\r\n";
    if (variant == "cr") out += '\r';
    if (variant == "mixed") out += kEnds[line++ % 3];
  }
  return out;
}

/// The data over several lines, broken where JSON takes white space: behind its first comma.
std::string over_lines(std::string event) {
  std::size_t at = event.find("\",");
  if (at == std::string::npos) at = event.find(',', event.find("data: "));
  if (at == std::string::npos) return event;
  at = event.find(',', at);
  return event.insert(at + 1, "\ndata: ");
}

void on_event(Scene& scene) {
  const std::string variant(scene.with.text("variant", "crlf"));
  std::string event = event_of(scene);
  if (variant == "no-blank-line") {
    event.pop_back();
  } else if (variant == "bom") {
    if (scene.strike.seen++ != 0) return;  // only the beginning of a stream has one
    event.insert(0, "\xef\xbb\xbf");
  } else if (variant == "multi-line") {
    event = over_lines(std::move(event));
  } else if (variant == "unknown-fields") {
    event.insert(0, "priority: 7\nfield-without-value\n");
  } else if (variant == "wrong-event") {
    event.replace(0, event.find('\n'), "event: update");
  } else {
    event = with_line_ends(event, variant);
  }
  send_as_event(scene, std::move(event), "event framing: " + variant);
}

}  // namespace

const Fault stream_format_kind{
    .kind = "stream-format", .on_request = on_request, .on_event = on_event};

}  // namespace squall::inject
