#include "merge_schema.h"

#include <algorithm>
#include <unordered_map>

namespace squall::server {

namespace {

/// One parameter on its way into the merged schema.
struct Parameter {
  std::string_view name;
  json::Value schema;
  std::string_view first;  ///< the action it came from
  std::vector<std::string_view> used_by;
  std::vector<std::string_view> required_by;
};

bool is_required(const json::Value& input, std::string_view name) {
  const json::Value* required = input.find("required");
  if (required == nullptr) return false;
  return std::ranges::any_of(required->items(),
                             [&](const json::Value& one) { return one.string() == name; });
}

/// "integer" and "number" are one base type.
std::string base_type(const json::Value& schema) {
  const json::Value* type = schema.find("type");
  if (type == nullptr) return "";
  if (!type->is_string()) return "several";
  return type->string() == "integer" ? "number" : std::string(type->string());
}

void merge_enums(json::Value& into, const json::Value& from) {
  json::Value* mine = into.find("enum");
  if (mine == nullptr) return;
  const json::Value* theirs = from.find("enum");
  if (theirs == nullptr) {
    into.erase("enum");
    return;
  }
  for (const json::Value& value : theirs->items()) {
    const auto known = mine->items();
    if (std::ranges::find(known, value) == known.end()) mine->push_back(value);
  }
}

bool same_header(const json::Value& a, const json::Value& b) {
  const json::Value* mine = a.find("x-mcp-header");
  const json::Value* theirs = b.find("x-mcp-header");
  if (mine == nullptr || theirs == nullptr) return mine == theirs;
  return *mine == *theirs;
}

/// Whether `from` could be made one with `into`.
bool merge_parameter(json::Value& into, const json::Value& from) {
  if (into == from) return true;
  if (!into.is_object() || !from.is_object()) return false;
  const std::string type = base_type(into);
  if (type != base_type(from) || type == "several" || !same_header(into, from)) return false;
  merge_enums(into, from);
  if (const json::Value* own = into.find("type"); own != nullptr && *own != *from.find("type")) {
    into.set("type", "number");
  }
  std::vector<std::string> differing;
  for (const json::Member& member : into.members()) {
    const std::string_view name = member.name();
    if (name == "type" || name == "enum" || name == "description") continue;
    const json::Value* theirs = from.find(name);
    if (theirs == nullptr || *theirs != member.value) differing.emplace_back(name);
  }
  for (const std::string& name : differing) into.erase(name);
  if (!into.contains("description") && from.contains("description")) {
    into.set("description", *from.find("description"));
  }
  return true;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

std::string use_of(const Parameter& parameter, std::size_t actions) {
  if (parameter.required_by.size() == actions) return "(always required)";
  if (parameter.required_by.empty()) return "For: " + joined(parameter.used_by);
  std::string out = "Required for: " + joined(parameter.required_by);
  if (parameter.required_by.size() == parameter.used_by.size()) return out;
  std::vector<std::string_view> others;
  for (const std::string_view name : parameter.used_by) {
    if (std::ranges::find(parameter.required_by, name) == parameter.required_by.end()) {
      others.push_back(name);
    }
  }
  return out + ". For: " + joined(others);
}

void annotate(json::Value& schema, const std::string& use) {
  if (!schema.is_object()) return;
  std::string text(schema.find_string("description").value_or(""));
  if (!text.empty()) text += text.ends_with('.') ? " " : ". ";
  schema.set("description", text + use);
}

/// Whether members may come from elsewhere than `properties`.
bool is_composed(const json::Value& schema) {
  for (const std::string_view keyword : {"allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef",
                                         "dependentSchemas", "patternProperties"}) {
    if (schema.contains(keyword)) return true;
  }
  return false;
}

}  // namespace

MergedSchema merge_schemas(std::string_view discriminator,
                           const std::vector<ActionSchema>& actions) {
  MergedSchema out;
  std::vector<Parameter> parameters;
  std::unordered_map<std::string_view, std::size_t> places;
  json::Value keys = json::Value::array();
  for (const ActionSchema& action : actions) {
    keys.push_back(action.key);
    const json::Value* properties = action.input->find("properties");
    if (properties == nullptr) continue;
    for (const json::Member& property : properties->members()) {
      const auto [place, fresh] = places.try_emplace(property.name(), parameters.size());
      if (fresh) parameters.push_back({property.name(), property.value, action.name, {}, {}});
      Parameter& parameter = parameters[place->second];
      if (!fresh && !merge_parameter(parameter.schema, property.value)) {
        out.clashes.push_back("parameter \"" + std::string(property.name()) + "\" of \"" +
                              std::string(action.name) + "\" and of \"" +
                              std::string(parameter.first) +
                              "\" can't be one: their types or headers differ");
      }
      parameter.used_by.push_back(action.key);
      if (is_required(*action.input, property.name())) parameter.required_by.push_back(action.key);
    }
  }
  json::Value properties = json::Value::object();
  json::Value required = json::Value::array({discriminator});
  json::Value chooser = json::Value::object({{"type", "string"}});
  chooser.set("enum", std::move(keys));
  chooser.set("description", "What to do");
  properties.set(discriminator, std::move(chooser));
  for (Parameter& parameter : parameters) {
    if (parameter.required_by.size() == actions.size()) required.push_back(parameter.name);
    annotate(parameter.schema, use_of(parameter, actions.size()));
    properties.set(parameter.name, std::move(parameter.schema));
  }
  out.schema = json::Value::object({{"type", "object"}});
  out.schema.set("properties", std::move(properties));
  out.schema.set("required", std::move(required));
  return out;
}

json::Value strict_schema(const json::Value& input, bool open, std::string_view discriminator,
                          std::string_view key) {
  json::Value schema = json::Value::object();
  for (const json::Member& member : input.members()) {
    if (discriminator.empty() || member.name() != "properties") {
      schema.set(member.name(), member.value);
    }
  }
  if (!discriminator.empty()) {
    std::vector<json::Member> properties;
    properties.emplace_back(discriminator, json::Value::object({{"const", key}}));
    if (const json::Value* own = input.find("properties")) {
      properties.insert(properties.end(), own->members().begin(), own->members().end());
    }
    schema.set("properties", json::Value::from_members(std::move(properties)));
  }
  if (open || schema.contains("additionalProperties") || schema.contains("unevaluatedProperties")) {
    return schema;
  }
  // Draft-07 doesn't know the stronger keyword; there a composed schema stays as strict as it is.
  const bool draft_07 =
      schema.find_string("$schema").value_or("").find("draft-07") != std::string_view::npos;
  if (!is_composed(schema)) {
    schema.set("additionalProperties", false);
  } else if (!draft_07) {
    schema.set("unevaluatedProperties", false);
  }
  return schema;
}

}  // namespace squall::server
