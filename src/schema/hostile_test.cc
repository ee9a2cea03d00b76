#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/schema/schema.h"

#include "compile.h"
#include "evaluate.h"
#include "test_support.h"

/// @file Schemas and instances made to hang, crash or exhaust us. Work is counted in steps, never
/// timed.

namespace squall::schema {
namespace {

std::shared_ptr<const Program> program_of(std::string_view text,
                                          const CompileOptions& options = {}) {
  auto program = compile_program(parse_json(text), options, Documents::Check::yes);
  if (program) return *std::move(program);
  ADD_FAILURE() << program.error().message;
  return nullptr;
}

Evaluation run(std::string_view schema, const json::Value& instance,
               const CompileOptions& options = {}) {
  return evaluate(*program_of(schema, options), instance, nullptr);
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(Hostile, ReferencesInACircleReachTheLimitOfDepth) {
  for (const char* schema :
       {R"({"$ref": "#"})", R"({"allOf": [{"$ref": "#"}]})", R"({"not": {"$ref": "#"}})",
        R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
            "$ref": "#/$defs/a"})",
        R"({"$dynamicAnchor": "x", "$dynamicRef": "#x"})",
        R"({"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "unevaluatedProperties": false})"}) {
    const Evaluation result = run(schema, json::Value::object());
    EXPECT_EQ(result.verdict, Verdict::limit) << schema;
    EXPECT_LT(result.steps, 100'000U) << schema;
  }
}

TEST(Hostile, DeepRecursionStaysWithinTheStack) {
  CompileOptions options;
  options.limits.depth = 1'000'000;  // cut to kDepthMax
  json::ParseOptions deep;
  deep.limits.depth = json::kDepthMax;
  const json::Value nested = *json::parse(repeat("[", 9'000) + repeat("]", 9'000), deep);
  const char* schema = R"({"items": {"$ref": "#"}, "unevaluatedItems": false})";
  EXPECT_EQ(run(schema, nested, options).verdict, Verdict::limit);
  EXPECT_EQ(run(R"({"uniqueItems": true})", nested).verdict, Verdict::limit);
}

TEST(Hostile, ExponentialNestsReachTheLimitOfSteps) {
  std::string definitions;
  for (int i = 0; i < 40; ++i) {
    const std::string next = R"({"$ref": "#/$defs/d)" + std::to_string(i + 1) + "\"}";
    definitions += "\"d" + std::to_string(i) + R"(": {"KEYWORD": [)" + next + "," + next + "]},";
  }
  definitions += R"("d40": LEAF)";
  const auto nest = [&](std::string keyword, std::string leaf) {
    std::string text = R"({"$ref": "#/$defs/d0", "$defs": {)" + definitions + "}}";
    for (std::size_t at = 0; (at = text.find("KEYWORD", at)) != std::string::npos;) {
      text.replace(at, 7, keyword);
    }
    return text.replace(text.find("LEAF"), 4, leaf);
  };
  for (const auto& [keyword, leaf] :
       {std::pair("allOf", R"({"type": "object"})"), std::pair("anyOf", "false"),
        std::pair("oneOf", R"({"type": "object"})"), std::pair("allOf", R"({"not": false})")}) {
    const Evaluation result = run(nest(keyword, leaf), json::Value::object());
    EXPECT_EQ(result.verdict, Verdict::limit) << keyword;
    EXPECT_LE(result.steps, Limits{}.steps) << keyword;
  }
}

TEST(Hostile, HugeEnumsAreSearchedNotScanned) {
  json::Value values = json::Value::array();
  for (int i = 0; i < 100'000; ++i) values.push_back(json::Value::object({{"n", i}}));
  const json::Value schema =
      json::Value::object({{"items", json::Value::object({{"enum", values}})}});
  CompileOptions options;
  const auto program = compile_program(schema, options, Documents::Check::yes);
  ASSERT_TRUE(program.has_value()) << program.error().message;
  const Evaluation result = evaluate(**program, values, nullptr);
  EXPECT_EQ(result.verdict, Verdict::valid);
  EXPECT_LT(result.steps, 1'000'000U);
}

TEST(Hostile, AMillionUniqueItemsAreSorted) {
  json::Value items = json::Value::array();
  items.reserve(1'000'000);
  for (int i = 0; i < 1'000'000; ++i) items.push_back(i);
  const Evaluation unique = run(R"({"uniqueItems": true})", items);
  EXPECT_EQ(unique.verdict, Verdict::valid);
  EXPECT_LT(unique.steps, 1'100'000U);
  items.items()[999'999] = *json::Value::number("12.0");
  EXPECT_EQ(run(R"({"uniqueItems": true})", items).verdict, Verdict::invalid);
  CompileOptions few;
  few.limits.steps = 100'000;
  EXPECT_EQ(run(R"({"uniqueItems": true})", items, few).verdict, Verdict::limit);
}

TEST(Hostile, CatastrophicExpressionsReachTheLimit) {
  const std::string text = std::string(200'000, 'a') + "!";
  for (const char* schema :
       {R"({"pattern": "^(a|a)*$"})", R"({"pattern": "^(a+)+$"})", R"({"pattern": "^(a|aa)+$"})"}) {
    EXPECT_EQ(run(schema, json::Value(text)).verdict, Verdict::limit) << schema;
  }
}

TEST(Hostile, ManyPropertiesUnderPatternsCountEveryMatch) {
  json::Value instance = json::Value::object();
  json::Document document;
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) {
    text += (i == 0 ? "\"p" : ",\"p") + std::to_string(i) + "\":" + std::to_string(i);
  }
  ASSERT_TRUE(document.parse(text + "}").has_value());
  const Evaluation result =
      run(R"({"patternProperties": {"^p[0-9]+$": {"type": "integer"}, "x$": false},
              "unevaluatedProperties": false})",
          document.root());
  EXPECT_EQ(result.verdict, Verdict::valid);
  EXPECT_GT(result.steps, 300'000U);
  EXPECT_LT(result.steps, 1'000'000U);
}

TEST(Hostile, DigitsBeyondReasonEndInTheLimit) {
  const json::Value huge = *json::Value::number("1e1000000000");
  EXPECT_EQ(run(R"({"multipleOf": 0.7})", huge).verdict, Verdict::invalid);
  EXPECT_EQ(run(R"({"maximum": 5})", huge).verdict, Verdict::invalid);
  const json::Value digits = *json::Value::number(std::string(100'000, '7'));
  const std::string divisor(10'000, '3');
  EXPECT_EQ(run(R"({"multipleOf": )" + divisor + "}", digits).verdict, Verdict::limit);
}

TEST(Hostile, TooManySubschemasAreRefused) {
  std::string text = R"({"allOf": [{})" + repeat(R"(,{"type":"null"})", 10'000) + "]}";
  const auto schema = Schema::compile(parse_json(text));
  ASSERT_FALSE(schema.has_value());
  EXPECT_EQ(schema.error().kind, ErrorKind::limit);
}

TEST(Hostile, DeepSchemasAreRefused) {
  json::ParseOptions deep;
  deep.limits.depth = json::kDepthMax;
  const std::string text = repeat(R"({"not":)", 5'000) + "{}" + repeat("}", 5'000);
  const auto schema = Schema::compile(*json::parse(text, deep));
  ASSERT_FALSE(schema.has_value());
  EXPECT_EQ(schema.error().kind, ErrorKind::limit);
}

TEST(Hostile, CompilationHasItsOwnLimits) {
  const auto kind_of = [](const std::string& text, const CompileOptions& options = {}) {
    const auto schema = Schema::compile(parse_json(text), options);
    return schema ? std::nullopt : std::optional(schema.error().kind);
  };
  std::string patterns;
  std::string embedded;
  std::string members;
  for (int i = 0; i < 3'000; ++i) {
    const std::string number = std::to_string(i);
    patterns += (i == 0 ? "\"(ab|cd){990}" : ",\"(ab|cd){990}") + number + "\":true";
    members += (i == 0 ? "\"m" : ",\"m") + number + "\":{\"type\":\"null\"}";
    if (i >= 100) continue;
    embedded += (i == 0 ? "" : ",") + std::string("\"") + number +
                R"(":{"$schema":"http://json-schema.org/draft-07/schema#","$id":"urn:)" + number +
                "\"}";
  }
  EXPECT_EQ(kind_of(R"({"patternProperties":{)" + patterns + "}}"), ErrorKind::limit);
  EXPECT_EQ(kind_of(R"({"$defs":{)" + embedded + "}}"), ErrorKind::limit);
  EXPECT_EQ(kind_of(R"({"$id":"urn:)" + std::string(9'000, 'x') + "\"}"), ErrorKind::limit);
  CompileOptions few;
  few.limits.steps = 1'000;
  std::string references;
  for (int i = 0; i < 100; ++i) {
    references +=
        (i == 0 ? "" : ",") + std::string(R"({"$ref":"#/x/m)") + std::to_string(i) + "\"}";
  }
  EXPECT_EQ(kind_of(R"({"x":{)" + members + R"(},"allOf":[)" + references + "]}", few),
            ErrorKind::limit);
}

TEST(Hostile, MetaschemasInACircleEnd) {
  const json::Value meta = parse_json(
      R"({"$id": "urn:meta", "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true},
          "$ref": "urn:other",
          "$defs": {"inner": {"$id": "urn:inner", "$schema": "urn:meta"}}})");
  const json::Value other = parse_json(R"({"$schema": "urn:meta"})");
  CompileOptions options;
  options.resolve = [&](std::string_view uri) {
    return uri == "urn:meta" ? &meta : uri == "urn:other" ? &other : nullptr;
  };
  EXPECT_TRUE(Schema::compile(parse_json(R"({"$schema": "urn:meta"})"), options).has_value());
  EXPECT_TRUE(Schema::compile(parse_json(R"({"$ref": "urn:meta"})"), options).has_value());
}

TEST(Hostile, LongNamesInDeepSchemasDoNotMultiply) {
  // Were every subschema to keep its whole pointer, this would take gigabytes.
  std::string text;
  const std::string name(100'000, 'n');
  for (int i = 0; i < 60; ++i) text += R"({"properties":{")" + name + "\":";
  text += R"({"allOf":[{"minimum":1})" + repeat(R"(,{"minimum":1})", 5'000) + "]}";
  text += repeat("}}", 60);
  const auto schema = Schema::compile(parse_json(text));
  EXPECT_TRUE(schema.has_value()) << schema.error().message;
}

}  // namespace
}  // namespace squall::schema
