#include "kinds.h"

namespace squall::inject {

namespace {

/// The first property that `wanted` takes.
template <typename Wanted>
json::Value* first_property(json::Value& schema, Wanted&& wanted) {
  json::Value* properties = schema.find("properties");
  if (properties == nullptr) return nullptr;
  for (json::Member& member : properties->members()) {
    if (wanted(member.value)) return &member.value;
  }
  return nullptr;
}

bool shrink_enum(json::Value& schema) {
  json::Value* property = first_property(schema, [](const json::Value& one) {
    const json::Value* values = one.find("enum");
    return values != nullptr && values->size() > 1;
  });
  if (property == nullptr) return false;
  std::vector<json::Value> fewer(property->find("enum")->items().begin(),
                                 property->find("enum")->items().end() - 1);
  property->set("enum", json::Value::from_items(std::move(fewer)));
  return true;
}

bool change_type(json::Value& schema) {
  json::Value* property = first_property(
      schema, [](const json::Value& one) { return one.find_string("type").has_value(); });
  if (property == nullptr) return false;
  const bool text = property->find_string("type") == "string";
  property->set("type", text ? "integer" : "string");
  return true;
}

void require_more(json::Value& schema) {
  json::Value& properties = schema["properties"];
  if (!properties.is_object()) properties = json::Value::object();
  std::string name = "tenant_id";
  while (properties.contains(name)) name += "_";
  properties.set(name, json::Value::object({{"type", "string"}}));
  json::Value& required = schema["required"];
  if (!required.is_array()) required = json::Value::array();
  required.push_back(name);
}

void on_entry(Scene& scene) {
  Entry& entry = *scene.entry;
  json::Value* schema = entry.value ? entry.value->find("inputSchema") : nullptr;
  if (schema == nullptr || !schema->is_object()) return scene.noop("it has no input schema");
  const std::string change(scene.with.text("change", "new-required"));
  if (change == "new-required") {
    require_more(*schema);
  } else if (!(change == "enum-shrunk" ? shrink_enum(*schema) : change_type(*schema))) {
    return scene.noop("its input schema has nothing of that kind");
  }
  scene.did("input schema of " + std::string(entry.name) + ": " + change);
}

}  // namespace

const Fault schema_drift_kind{.kind = "schema-drift", .on_entry = on_entry};

}  // namespace squall::inject
