#include <algorithm>

#include "squall/transport/sse.h"

#include "../events.h"
#include "kinds.h"

namespace squall::inject {

namespace {

using std::chrono::seconds;

constexpr std::int64_t kCommentsMax = 1000;

void on_request(Scene& scene) { want_stream(scene, "a stream that says nothing"); }

void on_event(Scene& scene) {
  const auto silence = scene.with.time("for");
  if (scene.strike.seen++ == 0 && scene.with.flag("comments")) {
    std::string comment;
    transport::append_sse_comment(comment, "keep-alive");
    const std::int64_t wanted = silence.count() > 0 ? silence / seconds(1) : 60;
    for (std::int64_t n = 0; n < std::min(wanted, kCommentsMax); ++n) {
      scene.send_stream_bytes(comment, "a comment", seconds(n));
    }
  }
  if (silence.count() > 0) return scene.delay(silence, "silence first");
  scene.withhold("nothing said");
}

}  // namespace

const Fault stream_silent_kind{
    .kind = "stream-silent", .on_request = on_request, .on_event = on_event};

}  // namespace squall::inject
