#include "squall/schema/typed.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/schema/constraint.h"
#include "squall/schema/schema.h"

namespace squall::schema {
namespace {

enum class Colour { red, green };
SQUALL_DESCRIBE_ENUM(Colour, red, green)

struct Line {
  std::string text;
  std::int8_t amount = 1;
};
SQUALL_DESCRIBE(Line, text, amount)

struct Everything {
  bool flag = false;
  std::uint32_t count = 0;
  double ratio = 0;
  std::string name;
  std::optional<std::string> note;
  Colour colour = Colour::red;
  std::vector<Line> lines;
  std::map<std::string, std::int64_t> sums;
  json::Value any;
};
SQUALL_DESCRIBE(Everything, flag, count, ratio, name, note, colour, lines, sums, any)

struct Nothing {};
SQUALL_DESCRIBE(Nothing)

struct Tree {
  std::string name;
  std::vector<Tree> children;
};
SQUALL_DESCRIBE(Tree, name, children)

json::Value parsed(std::string_view text) { return json::parse(text).value_or(json::Value()); }

constexpr std::string_view kEverything =
    R"({"flag":true,"count":4294967295,"ratio":1.5,"name":"n","colour":"green",)"
    R"("lines":[{"text":"a","amount":-128}],"sums":{"x":7},"any":[null]})";

TEST(Derive, SaysWhatEachTypeIs) {
  EXPECT_EQ(derive<Everything>(), parsed(
                                      R"({"type":"object","properties":{"flag":{"type":"boolean"},
             "count":{"type":"integer","minimum":0},"ratio":{"type":"number"},
             "name":{"type":"string"},"note":{"type":"string"},
             "colour":{"type":"string","enum":["red","green"]},
             "lines":{"type":"array","items":{"type":"object","properties":{
               "text":{"type":"string"},"amount":{"type":"integer"}},
               "required":["text","amount"]}},
             "sums":{"type":"object","additionalProperties":{"type":"integer"}},"any":{}},
             "required":["flag","count","ratio","name","colour","lines","sums","any"]})"));
  EXPECT_EQ(derive<Nothing>(), parsed(R"({"type":"object"})"));
}

TEST(Derive, GivesSchemasThatCompile) {
  EXPECT_TRUE(Schema::compile(derive<Everything>()).has_value());
  EXPECT_TRUE(Schema::compile(derive<Tree>()).has_value());
}

TEST(Decode, IsUndoneByEncode) {
  Everything out;
  EXPECT_FALSE(decode(parsed(kEverything), out).has_value());
  EXPECT_EQ(out.colour, Colour::green);
  EXPECT_EQ(out.lines.at(0).amount, -128);
  EXPECT_FALSE(out.note.has_value());
  EXPECT_EQ(encode(out), parsed(kEverything));
}

TEST(Decode, LeavesAbsentMembersAsTheyWere) {
  Line line;
  line.amount = 7;
  EXPECT_FALSE(decode(parsed(R"({"text":"t"})"), line).has_value());
  EXPECT_EQ(line.amount, 7);
}

TEST(Decode, PointsAtWhatDoesNotFit) {
  const auto error_in = [](std::string_view text) {
    Everything out;
    const auto error = decode(parsed(text), out);
    return error ? error->pointer + ": " + error->message : std::string();
  };
  EXPECT_EQ(error_in(R"({"lines":[{"amount":1},{"amount":128}]})"),
            "/lines/1/amount: expected a whole number from -128 to 127, not \"128\"");
  EXPECT_EQ(error_in(R"({"count":-1})"),
            "/count: expected a whole number from 0 to 4294967295, not \"-1\"");
  EXPECT_EQ(error_in(R"({"ratio":1e999})"), "/ratio: expected a number, not \"1e999\"");
  EXPECT_EQ(error_in(R"({"colour":"blue"})"),
            "/colour: expected one of the names, not a value of type string");
  EXPECT_EQ(error_in(R"({"sums":{"a/b":true}})"),
            "/sums/a~1b: expected a whole number from -9223372036854775808 to "
            "9223372036854775807, not a value of type boolean");
  EXPECT_EQ(error_in("[]"), ": expected an object, not a value of type array");
}

TEST(Decode, ReadsStructsInsideThemselves) {
  Tree tree;
  EXPECT_FALSE(decode(parsed(R"({"name":"a","children":[{"name":"b","children":[]}]})"), tree));
  EXPECT_EQ(tree.children.at(0).name, "b");
}

TEST(Constraint, IsAKeywordAndItsValue) {
  EXPECT_EQ(pattern("^a").keyword, "pattern");
  EXPECT_EQ(max(7).value, json::Value(7));
  EXPECT_EQ(one_of({"a", 1}).value, parsed(R"(["a",1])"));
  EXPECT_TRUE(optional().optional);
  EXPECT_EQ(secret().keyword, "writeOnly");
}

}  // namespace
}  // namespace squall::schema
