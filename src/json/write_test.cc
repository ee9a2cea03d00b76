#include "squall/json/write.h"

#include <limits>

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::json {
namespace {

std::string written(std::string_view text) {
  std::string out;
  write_string(out, text);
  return out;
}

TEST(WriteString, EscapesOnlyWhatItMust) {
  EXPECT_EQ(written(""), R"("")");
  EXPECT_EQ(written("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(written(std::string_view("\0\x1F\x0B", 3)), R"("\u0000\u001f\u000b")");
  EXPECT_EQ(written("/\x7F<>&'"), "\"/\x7F<>&'\"");
  EXPECT_EQ(written("é\u2028😀"), "\"é\u2028😀\"");
}

TEST(WriteString, FindsTheSpecialByteAtEveryPlace) {
  for (std::size_t size = 1; size < 70; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char special : {'"', '\\', '\x01', '\x1F'}) {
        std::string text(size, 'x');
        text[at] = special;
        const std::string json = written(text);
        EXPECT_EQ(json.size(), size + 2 + (special < 0x20 ? 5 : 1));
        EXPECT_EQ(parse(json)->string(), text);
      }
    }
  }
}

TEST(WriteString, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(written("a\xFFz"), "\"a\uFFFDz\"");
  EXPECT_EQ(written("long enough for a block \xC3\n"), "\"long enough for a block \uFFFD\\n\"");
}

TEST(Write, GivesNumbersAsTheyWere) {
  const std::string text = "[-0,1.0,1e400,9007199254740993,0.10E+05]";
  EXPECT_EQ(to_string(*parse(text)), text);
}

TEST(Write, LaysOutForPeople) {
  const Value value = *parse(R"({"a":[1,{"b":null}],"c":{},"d":[],"e":"x"})");
  EXPECT_EQ(to_pretty_string(value), R"({
  "a": [
    1,
    {
      "b": null
    }
  ],
  "c": {},
  "d": [],
  "e": "x"
})");
  EXPECT_EQ(*parse(to_pretty_string(value)), value);
  EXPECT_EQ(to_pretty_string(Value(1)), "1");
}

TEST(Writer, PutsTheCommasWhereTheyBelong) {
  std::string out;
  Writer writer(out);
  writer.begin_object();
  writer.key("empty").begin_array().end_array();
  writer.key("object").begin_object().end_object();
  writer.key("list").begin_array();
  writer.number(1).number(std::numeric_limits<std::uint64_t>::max()).number(0.5);
  writer.string("a\"b").boolean(true).boolean(false).null().raw(R"({"raw":1})");
  writer.number(std::numeric_limits<double>::quiet_NaN()).value(Value::array({1, 2}));
  writer.begin_array().begin_array().end_array().null().end_array();
  writer.end_array();
  writer.key("last").number(std::numeric_limits<std::int64_t>::min());
  writer.end_object();
  EXPECT_EQ(out,
            R"({"empty":[],"object":{},"list":[1,18446744073709551615,0.5,"a\"b",true,false,null,)"
            R"({"raw":1},null,[1,2],[[],null]],"last":-9223372036854775808})");
  EXPECT_TRUE(parse(out));
}

}  // namespace
}  // namespace squall::json
