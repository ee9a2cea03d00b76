#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

Cut cut_of(const Scene& scene) {
  return scene.with.text("how", "close") == "reset" ? Cut::reset : Cut::abort;
}

void on_request(Scene& scene) {
  Shape shape;
  shape.framing = Shape::Framing::stream;
  if (scene.with.has("after-bytes")) {
    shape.pace.cut_after = scene.with.size("after-bytes");
    shape.pace.cut = cut_of(scene);
  }
  scene.shape(std::move(shape), "a stream that is cut off");
}

/// Where in `event` to cut: inside a character when there is one of several bytes.
std::size_t cut_point(std::string_view event, std::string_view where) {
  if (where == "inside-char") {
    for (std::size_t at = 0; at < event.size(); ++at) {
      if (static_cast<unsigned char>(event[at]) >= 0xC0U) return at + 1;
    }
  }
  return event.size() / 2;
}

void on_event(Scene& scene) {
  if (scene.with.has("after-bytes")) return;  // whoever writes the body counts them
  if (scene.strike.seen++ < scene.with.count("after-events")) return;
  const std::string where(scene.with.text("where", "between"));
  if (where == "between") {
    scene.withhold("the stream cut off");
  } else {
    const std::string event = event_of(scene);
    send_as_event(scene, event.substr(0, cut_point(event, where)), "an event cut off");
  }
  scene.end(cut_of(scene), "the stream cut off " + where);
}

}  // namespace

const Fault stream_cut_kind{.kind = "stream-cut", .on_request = on_request, .on_event = on_event};

}  // namespace squall::inject
