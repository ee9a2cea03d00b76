#include "kinds.h"

namespace squall::inject {

namespace {

std::string_view variant(const Scene& scene) { return scene.with.text("variant", "changed"); }

void on_opened(Scene& scene) {
  Shape shape;
  if (variant(scene) == "missing") {
    shape.session_id = "";
    scene.shape(std::move(shape), "no session id");
  } else if (variant(scene) == "reused") {
    if (scene.shared.sessions.empty()) return scene.noop("there was no session before");
    shape.session_id = scene.shared.sessions.back();
    scene.shape(std::move(shape), "the id of an earlier session");
  } else if (variant(scene) == "accepts-others") {
    scene.did();
    SessionAct act;
    act.session = scene.ongoing.session;
    act.rule = scene.rule();
    act.how = "takes requests of any session";
    scene.out.behind.emplace_back(std::move(act));
  }
}

void on_traffic(Scene& scene) {
  const bool deletes = scene.request != nullptr && scene.request->http_method == "DELETE";
  if (variant(scene) == "ignores-delete" && deletes) {
    return scene.answer_http(200, {}, {}, "said to be deleted, and lives");
  }
  if (variant(scene) == "changed" && !deletes && scene.strike.seen++ == 0) {
    Shape shape;
    shape.session_id = "0" + scene.ongoing.session.substr(0, scene.ongoing.session.size() / 2);
    scene.shape(std::move(shape), "another session id");
  }
}

}  // namespace

const Fault session_id_kind{.kind = "session-id", .on_opened = on_opened, .on_traffic = on_traffic};

}  // namespace squall::inject
