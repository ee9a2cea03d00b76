#include "kinds.h"

namespace squall::inject {

namespace {

/// The id of another request under way on the same connection; empty when there is none.
json::Value in_flight(const Scene& scene) {
  for (const auto& [exchange, id] : scene.shared.in_flight) {
    if (exchange == scene.ongoing.number || id == scene.ongoing.id) continue;
    if (const auto value = json::Value::number(id.json())) return *value;
    const std::string_view text = id.json();
    return json::Value(text.substr(1, text.size() - 2));
  }
  return {};
}

json::Value other_id(const json::Value& id) {
  if (const auto number = id.as_int64(); number && *number < (std::int64_t{1} << 52)) {
    return *number + 1'000'003;
  }
  return json::Value(std::string(id.string()) + "-0");
}

void on_response(Scene& scene) {
  auto message = scene.message();
  json::Value* id = message ? message->find("id") : nullptr;
  if (id == nullptr) return scene.noop("it has no id");
  const std::string mode(scene.with.text("mode", "other"));
  json::Value wrong;
  if (mode == "in-flight") {
    wrong = in_flight(scene);
    if (wrong.is_null()) return scene.noop("no other request is under way");
  } else if (mode == "type-flip") {
    wrong = id->is_number() ? json::Value(id->number_text())
                            : json::Value::number(id->string()).value_or(json::Value(0));
  } else if (mode == "constant") {
    wrong = *id == json::Value(1) ? json::Value(2) : json::Value(1);
  } else if (mode == "other") {
    wrong = other_id(*id);
  }
  *id = std::move(wrong);
  scene.set_message(*message, "another id: " + mode);
}

}  // namespace

const Fault wrong_id_kind{.kind = "wrong-id", .on_response = on_response};

}  // namespace squall::inject
