#include "shape.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::server {
namespace {

std::string stripped(std::string_view schema, std::string_view text) {
  const auto shape = Shape::compile(json::parse(schema).value());
  if (!shape) return shape.error().message;
  json::Value value = json::parse(text).value();
  shape->strip(value);
  return json::to_string(value);
}

TEST(Shape, RemovesWhatIsNotDeclaredAtEveryDepth) {
  constexpr std::string_view kSchema =
      R"({"type":"object","properties":{"a":{"type":"integer"},)"
      R"("b":{"type":"array","items":{"properties":{"c":{}}}},"d":{"properties":{"e":{}}}}})";
  EXPECT_EQ(stripped(kSchema, R"({"a":1,"x":2})"), R"({"a":1})");
  EXPECT_EQ(stripped(kSchema, R"({"b":[{"c":1,"x":2},{"x":3}],"d":{"x":1,"e":2}})"),
            R"({"b":[{"c":1},{}],"d":{"e":2}})");
}

TEST(Shape, KeepsOthersOnlyWhereTheyAreWelcome) {
  EXPECT_EQ(stripped(R"({"properties":{"a":{}},"additionalProperties":true})", R"({"a":1,"x":2})"),
            R"({"a":1,"x":2})");
  EXPECT_EQ(
      stripped(R"({"additionalProperties":{"properties":{"a":{}}}})", R"({"x":{"a":1,"b":2}})"),
      R"({"x":{"a":1}})");
  EXPECT_EQ(stripped(R"({"additionalProperties":false})", R"({"x":1})"), "{}");
  EXPECT_EQ(stripped(R"({"patternProperties":{"^k":{}}})", R"({"k1":1,"x":2})"), R"({"k1":1})");
  EXPECT_EQ(stripped(R"({"type":"object"})", R"({"x":1})"), R"({"x":1})");
}

TEST(Shape, TakesTheMembersOfEveryBranchTogether) {
  constexpr std::string_view kSchema =
      R"({"properties":{"a":{}},"allOf":[{"properties":{"b":{}}}],)"
      R"("anyOf":[{"properties":{"c":{}}},{"$ref":"#/$defs/more"}],)"
      R"("$defs":{"more":{"properties":{"d":{"properties":{"e":{}}}}}}})";
  EXPECT_EQ(stripped(kSchema, R"({"a":1,"b":2,"c":3,"d":{"e":4,"x":5},"x":6})"),
            R"({"a":1,"b":2,"c":3,"d":{"e":4}})");
}

TEST(Shape, FollowsRecursionAndStripsAllOfIt) {
  constexpr std::string_view kTree = R"({"properties":{"v":{},"kids":{"items":{"$ref":"#"}}}})";
  EXPECT_EQ(stripped(kTree, R"({"v":1,"kids":[{"v":2,"x":1,"kids":[{"x":2,"v":3}]}]})"),
            R"({"v":1,"kids":[{"v":2,"kids":[{"v":3}]}]})");
}

TEST(Shape, KnowsTheElementsOfTuples) {
  EXPECT_EQ(stripped(R"({"prefixItems":[{"properties":{"a":{}}}],"items":{"properties":{"b":{}}}})",
                     R"([{"a":1,"b":2},{"a":1,"b":2}])"),
            R"([{"a":1},{"b":2}])");
}

TEST(Shape, RefusesReferencesThatLeadAway) {
  EXPECT_FALSE(Shape::compile(json::parse(R"({"$ref":"https://x.test/s"})").value()));
  EXPECT_FALSE(Shape::compile(json::parse(R"({"$ref":"#/$defs/none"})").value()));
}

}  // namespace
}  // namespace squall::server
