#include "../challenge.h"
#include "kinds.h"

namespace squall::inject {

namespace {

void on_request(Scene& scene) {
  const std::string kind(scene.with.text("challenge", "ok"));
  std::string header = R"(Bearer error="invalid_token")";
  if (kind == "none") header.clear();
  // The metadata of a resource that is none of ours; and one that nobody can reach.
  if (kind == "wrong-resource") {
    header += R"(, resource_metadata="https://other.invalid/.well-known/oauth-protected-resource")";
  } else if (kind == "unreachable-metadata") {
    header += R"(, resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource")";
  }
  challenge(scene, 401, std::move(header), "401: " + kind);
}

}  // namespace

const Fault unauthorized_kind{
    .kind = "unauthorized", .on_request = on_request, .on_notification = on_request};

}  // namespace squall::inject
