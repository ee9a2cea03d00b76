#include "squall/fault/profile_schema.h"

#include "squall/fault/catalogue.h"
#include "squall/json/number.h"
#include "squall/json/parse.h"

namespace squall::fault {

namespace {

using Type = Setting::Type;

json::Value ref(std::string_view name) {
  return json::Value::object({{"$ref", "#/$defs/" + std::string(name)}});
}

json::Value any_of(std::vector<json::Value> of) {
  return json::Value::object({{"anyOf", json::Value::from_items(std::move(of))}});
}

/// The spellings that all kinds share.
constexpr std::string_view kDefinitions = R"({
  "name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$"},
  "seed": {"anyOf": [{"type": "integer", "minimum": 0},
    {"type": "string", "pattern": "^([0-9]{1,20}|0x[0-9a-fA-F]{1,16})$"}]},
  "scope": {"enum": ["run", "session", "connection", "process"]},
  "probability": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1},
    {"type": "string", "pattern": "^[0-9]+([.][0-9]{1,9})?%?$|^[0-9]{1,18}/[0-9]{1,18}$"}]},
  "time": {"type": "string", "pattern": "^(0|[1-9][0-9]*)([.][0-9]{1,9})?(ms|s|m)$"},
  "size": {"type": "string", "pattern": "^(0|[1-9][0-9]*)([.][0-9]{1,9})?(b|kb|mb|kib|mib)$"},
  "shape": {"type": ["number", "string"]},
  "ordinal": {"type": "integer", "minimum": 1},
  "ordinals": {"type": "array", "minItems": 1, "maxItems": 256,
    "items": {"$ref": "#/$defs/ordinal"}},
  "globs": {"anyOf": [{"type": ["string", "number"]},
    {"type": "array", "minItems": 1, "items": {"type": ["string", "number"]}}]},
  "pointers": {"type": "array", "items": {"type": "string", "pattern": "^(/.*)?$"}},
  "uniform": {"type": "object", "additionalProperties": false, "required": ["uniform"],
    "properties": {"uniform": {"type": "array", "minItems": 2, "maxItems": 2,
      "items": {"type": "integer", "minimum": 0}}}},
  "delay": {"anyOf": [{"$ref": "#/$defs/time"},
    {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
     "properties": {
       "uniform": {"type": "array", "minItems": 2, "maxItems": 2,
         "items": {"$ref": "#/$defs/time"}},
       "per_kib": {"$ref": "#/$defs/time"},
       "exponential": {"type": "object", "additionalProperties": false, "required": ["mean", "max"],
         "properties": {"mean": {"$ref": "#/$defs/time"}, "max": {"$ref": "#/$defs/time"}}},
       "pareto": {"type": "object", "additionalProperties": false,
         "required": ["scale", "alpha", "max"],
         "properties": {"scale": {"$ref": "#/$defs/time"}, "alpha": {"$ref": "#/$defs/shape"},
           "max": {"$ref": "#/$defs/time"}}},
       "lognormal": {"type": "object", "additionalProperties": false,
         "required": ["median", "sigma", "max"],
         "properties": {"median": {"$ref": "#/$defs/time"}, "sigma": {"$ref": "#/$defs/shape"},
           "max": {"$ref": "#/$defs/time"}}}}}]},
  "when": {"type": "object", "additionalProperties": false, "properties": {
    "tool": {"$ref": "#/$defs/globs"}, "method": {"$ref": "#/$defs/globs"},
    "session": {"$ref": "#/$defs/globs"}, "revision": {"$ref": "#/$defs/globs"},
    "transport": {"enum": ["stdio", "http"]},
    "direction": {"enum": ["request", "response", "notification"]},
    "arguments": {"type": "object", "additionalProperties": {"type": ["string", "number"]}}}}
})";

/// The keys that every kind takes.
constexpr std::string_view kCommon = R"({
  "id": {"$ref": "#/$defs/name"}, "draw_key": {"$ref": "#/$defs/name"},
  "title": {"type": "string"}, "note": {"type": "string"},
  "probability": {"$ref": "#/$defs/probability"}, "arm": {"$ref": "#/$defs/probability"},
  "attempts": {"$ref": "#/$defs/ordinals"}, "calls": {"$ref": "#/$defs/ordinals"},
  "every": {"$ref": "#/$defs/ordinal"},
  "only": {"$ref": "#/$defs/pointers"}, "ignore": {"$ref": "#/$defs/pointers"},
  "rank": {"type": "integer", "minimum": -1000, "maximum": 1000},
  "exclusive": {"$ref": "#/$defs/name"}, "scope": {"$ref": "#/$defs/scope"},
  "key": {"enum": ["args", "record", "call", "method", "connection", "stream", "spawn", "session",
    "catalogue", "server-params", "server-method"]},
  "budget": {"type": "object", "minProperties": 1, "additionalProperties": false, "properties": {
    "strikes": {"$ref": "#/$defs/ordinal"}, "concurrent": {"$ref": "#/$defs/ordinal"}}},
  "burst": {"type": "object", "required": ["max"], "additionalProperties": false, "properties": {
    "min": {"type": "integer", "minimum": 1, "maximum": 1000},
    "max": {"type": "integer", "minimum": 1, "maximum": 1000}, "server": {"type": "boolean"}}},
  "window": {"type": "object", "required": ["length"], "additionalProperties": false,
    "properties": {"length": {"$ref": "#/$defs/ordinal"}, "server": {"type": "boolean"}}}
})";

json::Value parsed(std::string_view text) { return json::parse(text).value_or(json::Value()); }

/// A choice as it may be written: `404` and `null` are words here, quoted or not.
json::Value choice(const Setting& setting) {
  json::Value words = json::Value::array();
  for (const std::string& word : setting.choices) {
    words.push_back(word);
    if (word == "null") words.push_back(nullptr);
    if (json::is_number_text(word)) words.push_back(json::Value::number(word).value_or(nullptr));
  }
  const json::Value one = json::Value::object({{"enum", std::move(words)}});
  json::Value weighted = json::Value::object({{"type", "object"}});
  weighted.set("minProperties", 1).set("maxProperties", 1);
  weighted.set(
      "additionalProperties",
      json::Value::object({{"type", "integer"}, {"minimum", 0}, {"maximum", 1'000'000'000}}));
  json::Value list = json::Value::object({{"type", "array"}, {"minItems", 1}});
  list.set("items", any_of({one, std::move(weighted)}));
  std::vector<json::Value> all = {one, std::move(list)};
  if (setting.type == Type::choice_or_time) all.push_back(ref("time"));
  return any_of(std::move(all));
}

json::Value schema_of(const Setting& setting) {
  switch (setting.type) {
    case Type::text:
      return json::Value::object({{"type", "string"}});
    case Type::boolean:
      return json::Value::object({{"type", "boolean"}});
    case Type::count:
      return any_of({json::Value::object({{"type", "integer"}, {"minimum", 0}}), ref("uniform")});
    case Type::integer:
      return json::Value::object({{"type", "integer"}});
    case Type::time:
      return ref("time");
    case Type::size:
      return ref("size");
    case Type::delay:
      return ref("delay");
    case Type::choice:
    case Type::choice_or_time:
      return choice(setting);
    case Type::any:
      break;
  }
  return true;
}

/// `name` is a condition of every rule, and a setting of some kinds: either will do there.
void add_condition(json::Value& properties, std::string_view name, std::string_view condition) {
  const json::Value* setting = properties.find(name);
  json::Value both = setting == nullptr ? ref(condition) : any_of({*setting, ref(condition)});
  properties.set(name, std::move(both));
}

/// If the rule is of this kind, then it takes these settings.
json::Value branch(const Kind& kind) {
  json::Value properties = json::Value::object();
  json::Value required = json::Value::array();
  for (const Setting& setting : kind.settings) {
    properties.set(setting.name, schema_of(setting));
    if (setting.required) required.push_back(setting.name);
  }
  add_condition(properties, "when", "when");
  add_condition(properties, "after", "ordinal");
  add_condition(properties, "until", "ordinal");
  json::Value is_kind = json::Value::object({{"const", kind.name}});
  json::Value condition = json::Value::object();
  condition.set("properties", json::Value::object({{"fault", std::move(is_kind)}}));
  json::Value then = json::Value::object();
  then.set("properties", std::move(properties));
  if (required.size() > 0) then.set("required", std::move(required));
  json::Value out = json::Value::object();
  out.set("if", std::move(condition)).set("then", std::move(then));
  return out;
}

json::Value rule_schema() {
  json::Value names = json::Value::array();
  json::Value branches = json::Value::array();
  for (const Kind& kind : kinds()) {
    names.push_back(kind.name);
    branches.push_back(branch(kind));
  }
  json::Value properties = parsed(kCommon);
  properties.set("fault", json::Value::object({{"enum", std::move(names)}}));
  json::Value out = json::Value::object({{"type", "object"}});
  out.set("required", json::Value::array({"fault"})).set("properties", std::move(properties));
  out.set("allOf", std::move(branches)).set("unevaluatedProperties", false);
  return out;
}

}  // namespace

json::Value profile_schema() {
  json::Value definitions = parsed(kDefinitions);
  definitions.set("rule", rule_schema());
  json::Value rules = json::Value::object({{"type", "array"}, {"maxItems", 1000}});
  rules.set("items", ref("rule"));
  json::Value properties = json::Value::object();
  properties.set("squall", json::Value::object({{"const", 1}}));
  properties.set("name", json::Value::object({{"type", "string"}, {"minLength", 1}}));
  properties.set("note", json::Value::object({{"type", "string"}}));
  properties.set("seed", ref("seed")).set("scope", ref("scope")).set("rules", std::move(rules));
  json::Value out = json::Value::object();
  out.set("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.set("title", "Squall profile, version 1").set("type", "object");
  out.set("required", json::Value::array({"squall", "name", "rules"}));
  out.set("additionalProperties", false).set("properties", std::move(properties));
  out.set("$defs", std::move(definitions));
  return out;
}

}  // namespace squall::fault
