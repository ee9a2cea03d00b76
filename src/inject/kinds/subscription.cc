#include "squall/mcp/names.h"

#include "kinds.h"

namespace squall::inject {

namespace {

bool is_acknowledgement(const json::Value& message) {
  return message.find_string("method").value_or("") == mcp::notification::kAcknowledged;
}

void with_other_id(Scene& scene, json::Value message) {
  json::Value* params = message.find("params");
  json::Value* meta = params == nullptr ? nullptr : params->find("_meta");
  json::Value* id = meta == nullptr ? nullptr : meta->find(mcp::meta::kSubscriptionId);
  if (id == nullptr) return;
  *id = "another-subscription";
  scene.set_message(message, "of another subscription");
}

void on_message(Scene& scene) {
  const auto message = scene.message();
  if (!message || scene.alone()) return;
  const std::string_view variant = scene.with.text("variant", "silent-death");
  const bool first = is_acknowledgement(*message);
  if (variant == "no-ack" && first) return scene.withhold("the acknowledgement left out");
  if (variant == "wrong-id") return with_other_id(scene, *message);
  if (variant == "silent-death" && !first) {
    return scene.withhold("nothing more of the subscription");
  }
  if (variant == "unasked" && first) {
    scene.send_behind(make_notification(mcp::notification::kResourceUpdated,
                                        json::Value::object({{"uri", "file:///unasked.txt"}})),
                      "a notification that nobody subscribed to");
  }
}

}  // namespace

const Fault subscription_kind{.kind = "subscription", .on_message = on_message};

}  // namespace squall::inject
