#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) { want_stream(scene, "a retry field that misleads"); }

void on_event(Scene& scene) {
  if (scene.strike.seen++ != 0) return;
  const std::string value(scene.with.text("value", "huge"));
  std::string text = "0";
  if (value == "huge") text = "2147483647000";
  if (value == "not-a-number") text = "soon";
  send_as_event(scene, "retry: " + text + "\n" + event_of(scene), "retry: " + text);
}

}  // namespace

const Fault stream_retry_kind{
    .kind = "stream-retry", .on_request = on_request, .on_event = on_event};

}  // namespace squall::inject
