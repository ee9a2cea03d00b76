#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "squall/schema/schema.h"

#include "test_support.h"

/// @file The promise that validation allocates nothing on the good path, counted.

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

// Replaces the global ones of this test program. g++ 12 warns wrongly when it inlines them.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
// The sorts of the standard library ask in this way, and would get the sanitizer's own block.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace squall::schema {
namespace {

std::size_t allocations_of(const Schema& schema, const json::Value& instance) {
  EXPECT_EQ(schema.validate(instance), Verdict::valid);  // once before, for what a thread keeps
  const std::size_t before = allocations;
  const Verdict verdict = schema.validate(instance);
  const std::size_t taken = allocations - before;
  EXPECT_EQ(verdict, Verdict::valid);
  return taken;
}

TEST(Allocation, IsCounted) {
  const std::size_t before = allocations;
  ::operator delete(::operator new(8));  // unlike a new expression, it can't be left out
  EXPECT_EQ(allocations - before, 1U);
}

TEST(Allocation, DoesNotHappenForAValidCall) {
  CompileOptions options;
  options.assert_formats = true;
  const Schema schema = compile_json(
      R"({"type": "object", "additionalProperties": false, "required": ["path", "mode"],
          "properties": {
            "path": {"type": "string", "minLength": 1, "pattern": "^/([a-z]+/)*[a-z.]+$"},
            "mode": {"enum": ["read", "write"]},
            "when": {"type": "string", "format": "date-time"},
            "size": {"type": "integer", "minimum": 0, "multipleOf": 4},
            "tags": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/tag"},
                     "contains": {"const": "b"}}},
          "$defs": {"tag": {"anyOf": [{"type": "number"}, {"type": "string", "maxLength": 9}]}},
          "if": {"properties": {"mode": {"const": "write"}}}, "then": {"required": ["size"]}})",
      options);
  const json::Value instance = parse_json(
      R"({"path": "/tmp/some.file", "mode": "write", "when": "2026-07-28T10:00:00Z", "size": 4096,
          "tags": ["a", "b", 3, 4.5]})");
  EXPECT_EQ(allocations_of(schema, instance), 0U);
}

TEST(Allocation, DoesNotHappenForUnevaluatedPropertiesOfSmallObjects) {
  const Schema schema = compile_json(
      R"({"allOf": [{"properties": {"a": true}}], "anyOf": [{"properties": {"b": true}}],
          "unevaluatedProperties": false})");
  EXPECT_EQ(allocations_of(schema, parse_json(R"({"a": 1, "b": 2})")), 0U);
}

}  // namespace
}  // namespace squall::schema
