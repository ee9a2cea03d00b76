#include <algorithm>

#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  if (scene.with.text("variant", "missing") == "ignore-last-event-id") {
    scene.did("Last-Event-ID taken away");
    scene.out.main->drop_headers.emplace_back("Last-Event-ID");
    scene.out.main->delivery = recording::Delivery::changed;
  }
  want_stream(scene, "event ids that mislead");
}

void on_event(Scene& scene) {
  const std::string variant(scene.with.text("variant", "missing"));
  const std::uint64_t n = scene.strike.seen++;
  std::string how = "event ids: " + variant;
  if (variant == "missing") return send_as_event(scene, event_of(scene, ""), std::move(how));
  if (variant == "duplicate") return send_as_event(scene, event_of(scene, "1"), std::move(how));
  if (variant == "backwards") {
    const std::string id = std::to_string(1000 - std::min<std::uint64_t>(n, 999));
    return send_as_event(scene, event_of(scene, id), std::move(how));
  }
  if (variant == "gap") {
    // The first event is lost; a response alone keeps its place, or nothing would be left.
    if (n == 0 && !scene.out.main->last) return scene.withhold("an event left out");
    const std::string id = std::to_string(n + 2);
    return send_as_event(scene, event_of(scene, id), std::move(how));
  }
  if (variant == "redeliver") {
    const std::string event = event_of(scene, "r-" + std::to_string(n));
    send_as_event(scene, event, std::string(how));
    scene.send_stream_bytes(event, "an event again");
  }
}

}  // namespace

const Fault stream_ids_kind{.kind = "stream-ids", .on_request = on_request, .on_event = on_event};

}  // namespace squall::inject
