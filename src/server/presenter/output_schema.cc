#include "output_schema.h"

#include <span>

#include "squall/json/pointer.h"
#include "squall/json/write.h"

namespace squall::server {

namespace {

/// Whether `schema` says what stands at a place in words that `loosen` can follow.
bool is_plain(const json::Value& schema) {
  for (const std::string_view word : {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "not",
                                      "dependentSchemas", "patternProperties"}) {
    if (schema.contains(word)) return false;
  }
  return true;
}

/// Promises nothing about the place that `path` leads to; false when the way can't be followed.
bool loosen(json::Value& schema, std::span<const std::string> path) {
  if (path.empty()) {
    schema = true;
    return true;
  }
  if (!schema.is_object()) return true;  // it promises nothing already
  if (!is_plain(schema) || path.front() == "**") return false;
  const auto rest = path.subspan(1);
  bool followed = true;
  if (json::Value* properties = schema.find("properties")) {
    for (json::Member& member : properties->members()) {
      if (path.front() == "*" || path.front() == member.name()) {
        followed = loosen(member.value, rest) && followed;
      }
    }
  }
  for (const std::string_view word : {"items", "prefixItems", "additionalProperties"}) {
    json::Value* inner = schema.find(word);
    if (inner == nullptr) continue;
    if (inner->is_object()) followed = loosen(*inner, rest) && followed;
    for (json::Value& one : inner->items()) followed = loosen(one, rest) && followed;
  }
  return followed;
}

/// What is left to promise where the rest can't be kept.
json::Value only_the_type(const json::Value& schema) {
  const json::Value* type = schema.find("type");
  return type != nullptr ? json::Value::object({{"type", *type}}) : json::Value::object();
}

void loosen_item(const PresentationSpec& spec, json::Value& item) {
  for (const std::string& pattern : spec.redacted) {
    const auto pointer = json::Pointer::parse(pattern);
    if (!pointer || !loosen(item, pointer->tokens())) {
      item = only_the_type(item);
      return;
    }
  }
  for (const PresentationSpec::Embedded& embedded : spec.children) {
    if (!loosen(item, embedded.path)) {
      item = only_the_type(item);
      return;
    }
  }
  if (spec.selectable) item.erase("required");
}

}  // namespace

json::Value promised_schema(const PresentationSpec& spec) {
  json::Value item = spec.schema;
  if (item.is_null() && !spec.many) return {};
  if (item.is_object()) loosen_item(spec, item);
  if (!spec.many) return item;
  json::Value list = json::Value::object({{"type", "array"}});
  if (item.is_null()) return list;
  // References are resolved against the root, which becomes another one.
  for (const std::string_view word : {"$schema", "$defs", "definitions"}) {
    const json::Value* moved = item.find(word);
    if (moved == nullptr) continue;
    list.set(word, *moved);
    item.erase(word);
  }
  const std::string text = json::to_string(item);
  if (text.find("\"$ref\":\"#\"") != std::string::npos ||
      text.find("\"$ref\":\"#/properties") != std::string::npos) {
    item = only_the_type(item);
  }
  list.set("items", std::move(item));
  return list;
}

}  // namespace squall::server
