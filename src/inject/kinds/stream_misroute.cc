#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) { want_stream(scene, "a response on another stream"); }

void on_response(Scene& scene) {
  const std::string_view to = scene.with.text("to", "get-stream");
  if (to == "both") {
    scene.send_before(scene.bytes(), "the response on the GET stream too");
    Send& copy = std::get<Send>(scene.out.before.back());
    copy.via = Send::Via::get_stream;
    copy.exchange = 0;  // its own stream goes on
    return;
  }
  Exchange other = 0;
  for (const auto& [exchange, id] : scene.shared.in_flight) {
    if (exchange != scene.ongoing.number) other = exchange;
  }
  if (to == "wrong-stream" && other == 0) return scene.noop("no other stream is open");
  scene.did("the response on another stream");
  scene.out.main->delivery = recording::Delivery::changed;
  scene.out.main->via = to == "wrong-stream" ? Send::Via::other_exchange : Send::Via::get_stream;
  scene.out.main->other = other;
  End end;
  end.exchange = scene.ongoing.number;
  end.rule = scene.rule();
  end.how_text = "its own stream ends without the response";
  scene.out.behind.emplace_back(std::move(end));
}

}  // namespace

const Fault stream_misroute_kind{
    .kind = "stream-misroute", .on_request = on_request, .on_response = on_response};

}  // namespace squall::inject
