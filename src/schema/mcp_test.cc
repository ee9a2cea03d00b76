#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "squall/schema/schema.h"

#include "test_support.h"

/// @file The official MCP schemas, and the official examples against the newest of them.

namespace squall::schema {
namespace {

constexpr std::string_view kSchemaUri = "https://example.com/mcp/2026-07-28.json";

TEST(McpSchema, OfEveryRevisionCompiles) {
  std::size_t definitions = 0;
  for (const auto& file : list_json(data_path("mcp-schema"))) {
    const json::Value document = read_json(file);
    for (const char* holder : {"definitions", "$defs"}) {
      const json::Value* all = document.find(holder);
      if (all == nullptr) continue;
      for (const json::Member& member : all->members()) {
        json::Value wrapper = document;
        wrapper.set("$ref", "#/" + std::string(holder) + "/" + std::string(member.name()));
        const auto schema = Schema::compile(wrapper);
        EXPECT_TRUE(schema.has_value())
            << file << " " << member.name() << ": " << schema.error().message;
        ++definitions;
      }
    }
  }
  EXPECT_EQ(definitions, 553U);
}

TEST(McpSchema, AcceptsEveryOfficialExample) {
  const json::Value document = read_json(data_path("mcp-schema/2026-07-28.json"));
  CompileOptions options;
  options.resolve = [&](std::string_view uri) { return uri == kSchemaUri ? &document : nullptr; };
  std::size_t examples = 0;
  for (const auto& folder :
       std::filesystem::directory_iterator(data_path("mcp-schema/examples-2026-07-28"))) {
    const std::string name = folder.path().filename();
    const json::Value wrapper =
        json::Value::object({{"$ref", std::string(kSchemaUri) + "#/$defs/" + name}});
    const auto schema = Schema::compile(wrapper, options);
    ASSERT_TRUE(schema.has_value()) << name << ": " << schema.error().message;
    for (const auto& file : list_json(folder.path())) {
      std::vector<Violation> violations;
      EXPECT_EQ(schema->validate(read_json(file), violations), Verdict::valid)
          << file
          << (violations.empty() ? ""
                                 : ": " + violations[0].instance + " " + violations[0].message);
      ++examples;
    }
  }
  EXPECT_EQ(examples, 129U);
}

TEST(McpSchema, RefusesAToolWithoutAName) {
  const json::Value document = read_json(data_path("mcp-schema/2026-07-28.json"));
  CompileOptions options;
  options.resolve = [&](std::string_view) { return &document; };
  const Schema schema = compile_json(R"({"$ref": "https://example.com/x#/$defs/Tool"})", options);
  std::vector<Violation> found;
  EXPECT_EQ(schema.validate(parse_json(R"({"inputSchema": {"type": "object"}})"), found),
            Verdict::invalid);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "lacks the property \"name\"");
}

}  // namespace
}  // namespace squall::schema
