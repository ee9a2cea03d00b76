#include "events.h"

#include "squall/transport/sse.h"

namespace squall::inject {

std::string event_of(const Scene& scene, std::string_view id) {
  std::string out;
  transport::SseEvent event;
  event.id = id;
  event.data = scene.bytes();
  transport::append_sse(out, event);
  return out;
}

std::string event_of(const Scene& scene) {
  return event_of(scene, scene.reply == nullptr ? std::string_view() : scene.reply->event_id);
}

void send_as_event(Scene& scene, std::string bytes, std::string how) {
  scene.set_bytes(std::move(bytes), std::move(how));
  scene.out.main->form = Send::Form::event;
}

void want_stream(Scene& scene, std::string how) {
  Shape shape;
  shape.framing = Shape::Framing::stream;
  scene.shape(std::move(shape), std::move(how));
}

}  // namespace squall::inject
