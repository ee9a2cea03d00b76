#include "kinds.h"

namespace squall::inject {

namespace {

// Which framing is the wrong one shows when the response comes: the other than it came in.
void on_response(Scene& scene) {
  Shape shape;
  const bool stream = scene.reply != nullptr && scene.reply->on_stream;
  shape.framing = stream ? Shape::Framing::json : Shape::Framing::stream;
  scene.shape(std::move(shape), stream ? "JSON in place of a stream" : "a stream in place of JSON");
}

}  // namespace

const Fault wrong_framing_kind{.kind = "wrong-framing", .on_response = on_response};

}  // namespace squall::inject
