#include <string_view>

#include <benchmark/benchmark.h>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/schema/schema.h"

namespace {

using squall::json::Value;
using squall::schema::Schema;
using squall::schema::Verdict;

Value parse(std::string_view text) {
  auto value = squall::json::parse(text);
  SQUALL_ASSERT(value.has_value());
  return *std::move(value);
}

constexpr std::string_view kFiveProperties =
    R"({"type": "object", "additionalProperties": false, "required": ["city", "units", "days"],
        "properties": {"city": {"type": "string"}, "units": {"type": "string"},
                       "days": {"type": "integer"}, "detail": {"type": "boolean"},
                       "limit": {"type": "number"}}})";
constexpr std::string_view kFiveMembers =
    R"({"city": "Lisbon", "units": "metric", "days": 3, "detail": true, "limit": 2.5})";

// What tools ask for beside types: bounds, an enum, a pattern, a reference, an alternative.
constexpr std::string_view kRich =
    R"({"type": "object", "additionalProperties": false, "required": ["path", "mode"],
        "properties": {
          "path": {"type": "string", "minLength": 1, "pattern": "^/([a-z]+/)*[a-z.]+$"},
          "mode": {"enum": ["read", "write"]},
          "size": {"type": "integer", "minimum": 0, "maximum": 65536},
          "tags": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/tag"}},
          "at": {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 30}]}},
        "$defs": {"tag": {"type": "string", "maxLength": 20}}})";
constexpr std::string_view kRichInstance =
    R"({"path": "/tmp/some.file", "mode": "write", "size": 4096, "tags": ["a", "b", "c"],
        "at": "2026-07-28T10:00:00Z"})";

constexpr std::string_view kUnevaluated =
    R"({"type": "object", "allOf": [{"properties": {"city": {"type": "string"}}},
                                    {"properties": {"units": true, "days": true}}],
        "properties": {"detail": true, "limit": true}, "unevaluatedProperties": false})";

void validate(benchmark::State& state, std::string_view schema_text, std::string_view text) {
  const Schema schema = *Schema::compile(parse(schema_text));
  const Value instance = parse(text);
  SQUALL_ASSERT(schema.validate(instance) == Verdict::valid);
  for (auto _ : state) benchmark::DoNotOptimize(schema.validate(instance));
}

void compile(benchmark::State& state, std::string_view text) {
  const Value schema = parse(text);
  for (auto _ : state) benchmark::DoNotOptimize(Schema::compile(schema));
}

void explain(benchmark::State& state) {
  const Schema schema = *Schema::compile(parse(kFiveProperties));
  const Value instance = parse(R"({"city": 1, "units": "metric", "dais": 3})");
  for (auto _ : state) {
    std::vector<squall::schema::Violation> violations;
    benchmark::DoNotOptimize(schema.validate(instance, violations));
  }
}

BENCHMARK_CAPTURE(validate, five_properties, kFiveProperties, kFiveMembers);
BENCHMARK_CAPTURE(validate, rich, kRich, kRichInstance);
BENCHMARK_CAPTURE(validate, unevaluated, kUnevaluated, kFiveMembers);
BENCHMARK(explain);
BENCHMARK_CAPTURE(compile, five_properties, kFiveProperties);
BENCHMARK_CAPTURE(compile, rich, kRich);

}  // namespace
