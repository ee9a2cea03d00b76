#include "../challenge.h"
#include "kinds.h"

namespace squall::inject {

namespace {

constexpr std::string_view kInvalid =
    R"(Bearer error="invalid_token", error_description="expired")";

std::string_view when(const Scene& scene) { return scene.with.text("when", "between"); }

/// From now on the token of this request is an expired one.
void expire(Scene& scene) {
  scene.fact("expired " + token_of(scene)) = 1;
  scene.fact("any") = 1;
}

void on_request(Scene& scene) {
  if (when(scene) == "between") {
    expire(scene);
    return challenge(scene, 401, std::string(kInvalid), "the token has expired");
  }
  expire(scene);
}

/// While the call ran, the token expired: what came of it is not told.
void on_response(Scene& scene) {
  if (when(scene) == "between") return;
  if (when(scene) == "mid-stream") {
    scene.withhold("the token expired amid the stream");
    return scene.end(Cut::abort, "the token expired amid the stream");
  }
  challenge(scene, 401, std::string(kInvalid), "the token expired amid the call");
}

void on_every(Scene& scene) {
  if (scene.fact("any") == 0) return;
  if (scene.fact("expired " + token_of(scene)) != 0) {
    return challenge(scene, 401, std::string(kInvalid), "the token has expired");
  }
  const std::string_view refresh = scene.with.text("refresh", "ok");
  if (refresh == "rejected") {
    challenge(scene, 401, std::string(kInvalid), "the refreshed token is no better");
  } else if (refresh == "drops-scope") {
    challenge(scene, 403, R"(Bearer error="insufficient_scope")", "the refreshed token has less");
  }
}

}  // namespace

const Fault token_expired_kind{.kind = "token-expired",
                               .on_request = on_request,
                               .on_response = on_response,
                               .on_every = on_every};

}  // namespace squall::inject
