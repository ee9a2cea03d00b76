#include "squall/schema/schema.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/json/parse.h"

#include "test_support.h"

namespace squall::schema {
namespace {

std::vector<Violation> violations_of(std::string_view schema, std::string_view instance) {
  std::vector<Violation> violations;
  (void)compile_json(schema).validate(parse_json(instance), violations);
  return violations;
}

Result<Schema> try_compile(std::string_view text, const CompileOptions& options = {}) {
  return Schema::compile(parse_json(text), options);
}

TEST(Violation, PointsAtTheValueAndTheKeyword) {
  const auto found = violations_of(R"({"properties": {"a/b": {"items": {"type": "string"}}}})",
                                   R"({"a/b": ["x", 7]})");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].instance, "/a~1b/1");
  EXPECT_EQ(found[0].schema, "/properties/a~1b/items/type");
  EXPECT_EQ(found[0].keyword, "type");
  EXPECT_EQ(found[0].message, "must be string, is 7");
}

TEST(Violation, NamesTheDocumentWhenItIsAnotherOne) {
  const json::Value other = parse_json(R"({"$defs": {"x": {"minimum": 3}}})");
  CompileOptions options;
  options.resolve = [&](std::string_view uri) { return uri == "urn:other" ? &other : nullptr; };
  const Schema schema = compile_json(R"({"$ref": "urn:other#/$defs/x"})", options);
  std::vector<Violation> found;
  EXPECT_EQ(schema.validate(json::Value(2), found), Verdict::invalid);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].schema, "urn:other#/$defs/x/minimum");
}

TEST(Violation, IsReportedForEveryKeywordThatFails) {
  const auto found = violations_of(
      R"({"properties": {"a": {"type": "integer", "minimum": 5}, "b": {"maxLength": 1}},
          "required": ["c", "d"], "additionalProperties": false})",
      R"({"a": 1.5, "b": "xy", "e": null})");
  std::vector<std::string> keywords;
  for (const Violation& violation : found) keywords.push_back(violation.keyword);
  const std::vector<std::string> expected = {
      "type", "minimum", "maxLength", "additionalProperties", "required", "required"};
  EXPECT_EQ(keywords, expected);
}

TEST(Violation, QuotesAtMostFiftyCharacters) {
  const std::string text = "\"" + std::string(60, 'x') + "\"";
  const auto found = violations_of(R"({"const": "y"})", text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "\"" + std::string(50, 'x') + "\"... is not \"y\"");
}

TEST(Violation, StopsAtTheLimitOfErrors) {
  CompileOptions options;
  options.limits.errors = 3;
  const Schema schema = compile_json(R"({"items": {"type": "string"}})", options);
  std::vector<Violation> found(1);  // what was there before does not count
  EXPECT_EQ(schema.validate(parse_json("[1,2,3,4,5]"), found), Verdict::invalid);
  EXPECT_EQ(found.size(), 4U);
}

TEST(Violation, OfAFalseSchemaNamesTheKeywordThatHasIt) {
  EXPECT_EQ(violations_of("false", "1").at(0).keyword, "false schema");
  EXPECT_EQ(violations_of(R"({"unevaluatedProperties": false})", R"({"a": 1})").at(0).keyword,
            "unevaluatedProperties");
  EXPECT_EQ(violations_of(R"({"prefixItems": [true], "items": false})", "[1, 2]").at(0).message,
            "one item too many");
}

TEST(Violation, OfAnAlternativeIsReportedOnce) {
  const auto found = violations_of(R"({"anyOf": [{"type": "string"}, {"minimum": 9}]})", "3");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].keyword, "anyOf");
}

TEST(Compile, RefusesWhatTheMetaschemaRefuses) {
  for (const char* text :
       {R"({"type": "strng"})", R"({"minLength": -1})", R"({"required": "a"})",
        R"({"properties": []})", R"({"$defs": {"unused": {"type": 3}}})", R"({"allOf": []})",
        R"({"multipleOf": 0})", R"({"enum": 1})", R"({"pattern": 1})"}) {
    const auto schema = try_compile(text);
    ASSERT_FALSE(schema.has_value()) << text;
    EXPECT_EQ(schema.error().kind, ErrorKind::invalid) << text;
    EXPECT_TRUE(schema.error().message.starts_with("not a schema: at \"/")) << text;
  }
  EXPECT_FALSE(try_compile("[]").has_value());
  EXPECT_FALSE(try_compile("null").has_value());
}

TEST(Compile, RefusesUnresolvedReferences) {
  for (const char* text :
       {R"({"$ref": "#/$defs/none"})", R"({"$ref": "#none"})",
        R"({"$ref": "http://example.com/none"})", R"({"$ref": "#/type", "type": "object"})",
        R"({"$ref": "#/%zz"})", R"({"$dynamicRef": "#none"})"}) {
    EXPECT_FALSE(try_compile(text).has_value()) << text;
  }
}

TEST(Compile, RefusesBadRegularExpressions) {
  for (const char* text : {R"({"pattern": "("})", R"({"patternProperties": {"a++": true}})"}) {
    const auto schema = try_compile(text);
    ASSERT_FALSE(schema.has_value()) << text;
    EXPECT_TRUE(schema.error().message.starts_with("bad regular expression")) << text;
  }
}

TEST(Compile, RefusesUnknownDialectsAndVocabularies) {
  EXPECT_FALSE(try_compile(R"({"$schema": "http://json-schema.org/draft-04/schema#"})"));
  const json::Value custom = parse_json(
      R"({"$id": "urn:custom", "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true,
                          "urn:unknown": true}})");
  CompileOptions options;
  options.resolve = [&](std::string_view uri) { return uri == "urn:custom" ? &custom : nullptr; };
  EXPECT_FALSE(try_compile(R"({"$schema": "urn:custom"})", options));
}

TEST(Compile, RefusesOneNameForTwoSchemas) {
  EXPECT_FALSE(try_compile(R"({"$defs": {"a": {"$id": "urn:x"}, "b": {"$id": "urn:x"}}})"));
  EXPECT_FALSE(try_compile(R"({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}})"));
}

TEST(Compile, ChecksEmbeddedSchemasOfAnotherDraftByItsOwnRules) {
  const std::string old_inside = R"({"$defs": {"old": {
      "$schema": "http://json-schema.org/draft-07/schema#", "$id": "urn:old", "items": )";
  EXPECT_TRUE(try_compile(old_inside + R"([{"type": "string"}]}}, "$ref": "urn:old"})"));
  EXPECT_FALSE(try_compile(old_inside + R"(7}}, "$ref": "urn:old"})"));
  EXPECT_FALSE(try_compile(R"({"items": [{"type": "string"}]})"));
}

TEST(Compile, ReadsSchemasWithoutDialectAsTold) {
  CompileOptions options;
  options.draft = Draft::draft_07;
  const Schema schema = compile_json(R"({"items": [{"type": "string"}]})", options);
  EXPECT_EQ(schema.validate(parse_json("[1]")), Verdict::invalid);
}

TEST(Compile, UsesTheBaseUriForRelativeReferences) {
  const json::Value other = parse_json(R"({"type": "string"})");
  std::string asked;
  CompileOptions options;
  options.base_uri = "http://example.com/schemas/root.json";
  options.resolve = [&](std::string_view uri) {
    asked = uri;
    return &other;
  };
  const Schema schema = compile_json(R"({"$ref": "other.json"})", options);
  EXPECT_EQ(asked, "http://example.com/schemas/other.json");
  EXPECT_EQ(schema.validate(json::Value(1)), Verdict::invalid);
}

TEST(Schema, OutlivesTheValueItWasCompiledFrom) {
  json::Value text = parse_json(R"({"enum": ["a fairly long string", {"b": [1, 2, 3]}]})");
  const Schema schema = *Schema::compile(text);
  text = json::Value();
  EXPECT_EQ(schema.validate(parse_json(R"({"b": [1, 2, 3.0]})")), Verdict::valid);
  EXPECT_EQ(schema.validate(parse_json(R"({"b": [1, 2]})")), Verdict::invalid);
}

TEST(Schema, ComparesNumbersExactly) {
  const Schema schema = compile_json(R"({"maximum": 9007199254740992})");
  EXPECT_EQ(schema.validate(parse_json("9007199254740992.0")), Verdict::valid);
  EXPECT_EQ(schema.validate(parse_json("9007199254740993")), Verdict::invalid);
  EXPECT_EQ(compile_json(R"({"multipleOf": 0.1})").validate(parse_json("0.3")), Verdict::valid);
}

TEST(Schema, AssertsFormatsOnlyWhenAsked) {
  CompileOptions options;
  EXPECT_EQ(compile_json(R"({"format": "ipv4"})", options).validate("x"), Verdict::valid);
  options.assert_formats = true;
  EXPECT_EQ(compile_json(R"({"format": "ipv4"})", options).validate("x"), Verdict::invalid);
}

TEST(Schema, SeesBothMembersOfOneName) {
  json::ParseOptions options;
  options.duplicates = json::Duplicates::keep;
  const json::Value twice = *json::parse(R"({"a": 1, "a": "x"})", options);
  const Schema schema = compile_json(R"({"properties": {"a": {"type": "string"}}})");
  EXPECT_EQ(schema.validate(twice), Verdict::invalid);
}

TEST(Schema, FindsManyPropertiesAndRequiredOnes) {
  json::Value properties = json::Value::object();
  json::Value required = json::Value::array();
  json::Value instance = json::Value::object();
  for (int i = 0; i < 200; ++i) {
    const std::string name = "p" + std::to_string(i);
    properties.set(name, json::Value::object({{"const", i}}));
    required.push_back(name);
    instance.set("p" + std::to_string(199 - i), 199 - i);
  }
  const Schema schema = *Schema::compile(json::Value::object(
      {{"properties", properties}, {"required", required}, {"additionalProperties", false}}));
  EXPECT_EQ(schema.validate(instance), Verdict::valid);
  instance.erase("p150");
  EXPECT_EQ(schema.validate(instance), Verdict::invalid);
  instance.set("p150", 151);
  EXPECT_EQ(schema.validate(instance), Verdict::invalid);
}

}  // namespace
}  // namespace squall::schema
