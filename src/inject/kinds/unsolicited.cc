#include "squall/json/write.h"

#include "kinds.h"

namespace squall::inject {

namespace {

void on_response(Scene& scene) {
  jsonrpc::Id id;
  if (const json::Value* given = scene.with.any("response-id")) id = jsonrpc::Id::from(*given);
  if (id.empty()) id = scene.make_id();
  scene.send_before(make_result(id, text_result("OK", false)), "a response nobody asked for");
}

}  // namespace

const Fault unsolicited_kind{.kind = "unsolicited", .on_response = on_response};

}  // namespace squall::inject
