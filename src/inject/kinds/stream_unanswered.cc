#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) { want_stream(scene, "a stream that ends without its response"); }

void on_response(Scene& scene) {
  scene.withhold("the response left out");
  scene.end(Cut::close, "the stream closed cleanly without its response");
}

}  // namespace

const Fault stream_unanswered_kind{
    .kind = "stream-unanswered", .on_request = on_request, .on_response = on_response};

}  // namespace squall::inject
