#include "merge_schema.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::server {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value_or(json::Value()); }

json::Value properties(std::string_view members) {
  return parsed(R"({"type":"object","properties":{)" + std::string(members) + "}}");
}

MergedSchema merged(const json::Value& a, const json::Value& b) {
  return merge_schemas("action", {{"a", "t.a", &a}, {"b", "t.b", &b}});
}

const json::Value* property(const MergedSchema& merged, std::string_view name) {
  return merged.schema.find("properties")->find(name);
}

TEST(MergeSchemas, SaysForWhichActionsAParameterIs) {
  const json::Value a =
      parsed(R"({"type":"object","properties":{"x":{"type":"string","description":"An x"},)"
             R"("y":{"type":"string"},"z":{"type":"string"}},"required":["x","y"]})");
  const json::Value b =
      parsed(R"({"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"},)"
             R"("w":{"type":"string"}},"required":["x","w"]})");
  const MergedSchema out = merged(a, b);
  EXPECT_EQ(property(out, "x")->find_string("description"), "An x. (always required)");
  EXPECT_EQ(property(out, "y")->find_string("description"), "Required for: a. For: b");
  EXPECT_EQ(property(out, "z")->find_string("description"), "For: a");
  EXPECT_EQ(property(out, "w")->find_string("description"), "Required for: b");
  EXPECT_EQ(*out.schema.find("required"), parsed(R"(["action","x"])"));
}

TEST(MergeSchemas, AddsEnumsUpAndWidensThemToPlain) {
  const MergedSchema both = merged(properties(R"("c":{"type":"string","enum":["r","g"]})"),
                                   properties(R"("c":{"type":"string","enum":["g","b"]})"));
  EXPECT_EQ(*property(both, "c")->find("enum"), parsed(R"(["r","g","b"])"));
  const MergedSchema plain = merged(properties(R"("c":{"type":"string","enum":["r"]})"),
                                    properties(R"("c":{"type":"string"})"));
  EXPECT_FALSE(property(plain, "c")->contains("enum"));
}

TEST(MergeSchemas, TakesIntegersForNumbersAndDropsWhatDiffers) {
  const MergedSchema out = merged(properties(R"("n":{"type":"integer","minimum":1})"),
                                  properties(R"("n":{"type":"number","minimum":2})"));
  EXPECT_TRUE(out.clashes.empty());
  EXPECT_EQ(property(out, "n")->find_string("type"), "number");
  EXPECT_FALSE(property(out, "n")->contains("minimum"));
}

TEST(MergeSchemas, TellsParametersThatCannotBeOne) {
  EXPECT_EQ(merged(properties(R"("n":{"type":"integer"})"), properties(R"("n":{"type":"string"})"))
                .clashes.size(),
            1U);
  EXPECT_EQ(merged(properties(R"("n":{"type":["string","null"]})"),
                   properties(R"("n":{"type":"string"})"))
                .clashes.size(),
            1U);
  EXPECT_EQ(merged(properties(R"("n":{"type":"string","x-mcp-header":"A"})"),
                   properties(R"("n":{"type":"string"})"))
                .clashes.size(),
            1U);
}

TEST(StrictSchema, ClosesWhatTheAuthorLeftOpen) {
  const json::Value plain = properties(R"("x":{})");
  EXPECT_EQ(*strict_schema(plain, false, "", "").find("additionalProperties"), json::Value(false));
  EXPECT_FALSE(strict_schema(plain, true, "", "").contains("additionalProperties"));
  const json::Value composed = parsed(R"({"type":"object","allOf":[]})");
  EXPECT_EQ(*strict_schema(composed, false, "", "").find("unevaluatedProperties"),
            json::Value(false));
  const json::Value own = parsed(R"({"type":"object","additionalProperties":{"type":"string"}})");
  EXPECT_EQ(strict_schema(own, false, "", ""), own);
}

TEST(StrictSchema, LetsTheDiscriminatorSayOneThing) {
  const json::Value schema = strict_schema(properties(R"("x":{})"), false, "do", "get");
  EXPECT_EQ(*schema.find("properties")->find("do"), parsed(R"({"const":"get"})"));
  EXPECT_TRUE(schema.find("properties")->contains("x"));
}

}  // namespace
}  // namespace squall::server
