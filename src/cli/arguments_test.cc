#include "arguments.h"

#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::cli {
namespace {

using json::Value;
using testing::HasSubstr;

Value parsed(std::string_view text) { return json::parse(text).value(); }

const Value& schema() {
  static const Value made = parsed(R"({"type":"object","required":["n"],"properties":{
    "n":{"type":"integer","minimum":1},"ratio":{"type":"number"},"on":{"type":"boolean"},
    "name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},
    "maybe":{"type":["null","integer"]},"either":{"type":["string","integer"]},"any":{}}})");
  return made;
}

std::string read(const std::vector<std::string>& words, const std::string& args = "") {
  const auto read = read_arguments(schema(), words, args);
  return read ? json::to_string(*read) : "error: " + read.error().message;
}

TEST(Arguments, HaveTheTypesOfTheSchema) {
  EXPECT_EQ(read({"n=3", "ratio=0.50", "on=true", "name=42", "any=7"}),
            R"({"n":3,"ratio":0.50,"on":true,"name":"42","any":"7"})");
  EXPECT_EQ(read({"n=1", R"(tags=["a","b"])", "maybe=null", "either=5", "name="}),
            R"({"n":1,"tags":["a","b"],"maybe":null,"either":"5","name":""})");
  EXPECT_EQ(read({"n=1", "name=a=b"}), R"({"n":1,"name":"a=b"})");
}

TEST(Arguments, MayComeAsJsonWithWordsOnTop) {
  EXPECT_EQ(read({"n=2"}, R"({"n":1,"extra":true})"), R"({"n":2,"extra":true})");
  EXPECT_THAT(read({}, "[1]"), HasSubstr("--args wants a JSON object"));
  EXPECT_THAT(read({}, "{"), HasSubstr("--args: line 1"));
}

TEST(Arguments, AreRefusedInTheSchemasWords) {
  EXPECT_THAT(read({}), HasSubstr("n"));
  for (const char* bad : {"n=0", "n=x", "n=1.5", "n=", "n={"}) {
    EXPECT_THAT(read({bad}), HasSubstr("do not fit the tool's schema\n  /n: ")) << bad;
  }
  EXPECT_THAT(read({"n=1", "on=yes"}), HasSubstr("/on: "));
}

TEST(Arguments, NameTheNearestOfWhatThereIs) {
  EXPECT_EQ(read({"nmae=x"}), "error: the tool has no argument 'nmae'; did you mean 'name'?");
  EXPECT_THAT(read({"zzzzzzzz=x"}), HasSubstr("there is 'n', 'ratio'"));
  EXPECT_THAT(read({"n"}), HasSubstr("key=value, not 'n'"));
  EXPECT_THAT(read({"=n"}), HasSubstr("key=value"));
}

TEST(Arguments, AreFreeWhereTheSchemaIs) {
  const Value open = parsed(R"({"type":"object"})");
  EXPECT_EQ(json::to_string(*read_arguments(open, {"a=1"}, "")), R"({"a":"1"})");
  const Value explicitly = parsed(R"({"properties":{"a":{}},"additionalProperties":true})");
  EXPECT_EQ(json::to_string(*read_arguments(explicitly, {"b=1"}, "")), R"({"b":"1"})");
}

TEST(FindTool, NamesTheNearest) {
  const std::vector<Value> tools = {parsed(R"({"name":"create_order"})"),
                                    parsed(R"({"name":"list"})")};
  EXPECT_EQ(*find_tool(tools, "list"), &tools[1]);
  EXPECT_EQ(find_tool(tools, "creat_order").error().message,
            "the server has no tool 'creat_order'; did you mean 'create_order'?");
  EXPECT_EQ(find_tool(tools, "xyzzy").error().message,
            "the server has no tool 'xyzzy'; there is 'create_order', 'list'");
}

}  // namespace
}  // namespace squall::cli
