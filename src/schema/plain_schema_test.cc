#include "plain_schema.h"

#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/schema/schema.h"

namespace squall::schema {
namespace {

json::Value parse(std::string_view text) { return *json::parse(text); }

constexpr auto kKeywords = std::to_array<std::string_view>({"$anchor",
                                                            "$comment",
                                                            "$defs",
                                                            "$dynamicAnchor",
                                                            "$dynamicRef",
                                                            "$id",
                                                            "$ref",
                                                            "$schema",
                                                            "$vocabulary",
                                                            "additionalProperties",
                                                            "allOf",
                                                            "anyOf",
                                                            "const",
                                                            "contains",
                                                            "contentEncoding",
                                                            "contentMediaType",
                                                            "contentSchema",
                                                            "default",
                                                            "definitions",
                                                            "dependencies",
                                                            "dependentRequired",
                                                            "dependentSchemas",
                                                            "deprecated",
                                                            "description",
                                                            "else",
                                                            "enum",
                                                            "examples",
                                                            "exclusiveMaximum",
                                                            "exclusiveMinimum",
                                                            "format",
                                                            "if",
                                                            "items",
                                                            "maxContains",
                                                            "maxItems",
                                                            "maxLength",
                                                            "maxProperties",
                                                            "maximum",
                                                            "minContains",
                                                            "minItems",
                                                            "minLength",
                                                            "minProperties",
                                                            "minimum",
                                                            "multipleOf",
                                                            "not",
                                                            "oneOf",
                                                            "pattern",
                                                            "patternProperties",
                                                            "prefixItems",
                                                            "properties",
                                                            "propertyNames",
                                                            "readOnly",
                                                            "required",
                                                            "then",
                                                            "title",
                                                            "type",
                                                            "unevaluatedItems",
                                                            "unevaluatedProperties",
                                                            "uniqueItems",
                                                            "writeOnly",
                                                            "x-unknown"});

constexpr auto kValues = std::to_array<std::string_view>({"null",
                                                          "true",
                                                          "false",
                                                          "0",
                                                          "-0",
                                                          "-1",
                                                          "1",
                                                          "1.0",
                                                          "1.5",
                                                          "1e400",
                                                          "-1e-400",
                                                          R"("")",
                                                          R"("x")",
                                                          R"("object")",
                                                          R"("#x")",
                                                          "[]",
                                                          "[true]",
                                                          "[1]",
                                                          "[{}]",
                                                          R"([{"type": 1}])",
                                                          R"(["a"])",
                                                          R"(["a", "a"])",
                                                          R"(["a", "b"])",
                                                          R"(["object"])",
                                                          R"(["object", "null"])",
                                                          R"(["object", "object"])",
                                                          "{}",
                                                          R"({"a": true})",
                                                          R"({"a": 1})",
                                                          R"({"a": {"type": "x"}})",
                                                          R"({"type": "string"})",
                                                          R"({"type": 5})"});

TEST(PlainSchema, WhatItLetsThroughTheMetaschemaAcceptsToo) {
  const auto metaschema =
      Schema::compile(parse(R"({"$ref": "https://json-schema.org/draft/2020-12/schema"})"));
  ASSERT_TRUE(metaschema) << metaschema.error().message;
  std::size_t plain = 0;
  for (const std::string_view keyword : kKeywords) {
    for (const std::string_view value : kValues) {
      json::Value schema = json::Value::object();
      schema.set(keyword, parse(value));
      if (!is_plain_schema(schema)) continue;
      ++plain;
      EXPECT_EQ(metaschema->validate(schema), Verdict::valid) << json::to_string(schema);
    }
  }
  EXPECT_GT(plain, 200U);
}

TEST(PlainSchema, LetsTheSchemasOfOrdinaryToolsThrough) {
  EXPECT_TRUE(is_plain_schema(parse(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object", "required": ["path"], "additionalProperties": false,
    "properties": {"path": {"type": "string", "minLength": 1, "description": "where"},
                   "mode": {"enum": ["read", "write"], "default": "read"},
                   "tags": {"type": ["array", "null"], "items": {"$ref": "#/$defs/tag"}}},
    "$defs": {"tag": {"type": "string"}}})")));
}

TEST(PlainSchema, LeavesTheLargeAndTheDeepToTheMetaschema) {
  std::string deep = "true";
  for (int i = 0; i < 100; ++i) deep = R"({"not": )" + deep + "}";
  EXPECT_FALSE(is_plain_schema(parse(deep)));
  std::string many = R"({"anyOf": [true)";
  for (int i = 0; i < 2'000; ++i) many += ", true";
  EXPECT_FALSE(is_plain_schema(parse(many + "]}")));
}

TEST(PlainSchema, AnOrdinarySchemaWithOneFaultIsStillRefused) {
  for (const std::string_view fault :
       {R"({"type": "objekt"})", R"({"properties": {"a": {"minLength": -1}}})",
        R"({"required": ["a", "a"]})", R"({"anyOf": []})", R"({"items": 3})"}) {
    EXPECT_FALSE(Schema::compile(parse(fault))) << fault;
  }
}

}  // namespace
}  // namespace squall::schema
