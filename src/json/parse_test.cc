#include "squall/json/parse.h"

#include <gtest/gtest.h>

#include "squall/json/write.h"

namespace squall::json {
namespace {

using Reason = ParseError::Reason;

ParseError error_of(std::string_view text, const ParseOptions& options = {}) {
  auto result = parse(text, options);
  EXPECT_FALSE(result.has_value()) << text;
  return result ? ParseError{} : result.error();
}

TEST(Parse, ReadsEveryKind) {
  const auto value = parse(R"( { "a" : [ null , true , false , -1.5e+3 , "x" , { } , [ ] ] } )");
  ASSERT_TRUE(value) << value.error().text();
  EXPECT_EQ(to_string(*value), R"({"a":[null,true,false,-1.5e+3,"x",{},[]]})");
}

TEST(Parse, KeepsTheTextOfNumbers) {
  const std::string digits(5000, '9');
  const std::string text = "[-0,1e400,9007199254740993,1.10,0E-0," + digits + "]";
  const auto value = parse(text);
  ASSERT_TRUE(value);
  EXPECT_EQ(to_string(*value), text);
  EXPECT_EQ(value->items()[5].number_text(), digits);
}

TEST(Parse, ResolvesEscapes) {
  EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t")")->string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(parse(R"("\u0041\u00e9\u20AC\ud83d\uDE00")")->string(), "Aé€😀");
  EXPECT_EQ(parse(R"("a\u0000b")")->string(), std::string_view("a\0b", 3));
  EXPECT_EQ(parse(R"("plain text before \n and after, longer than a block of sixteen \" bytes")")
                ->string(),
            "plain text before \n and after, longer than a block of sixteen \" bytes");
}

TEST(Parse, NamesWhereAndWhy) {
  const ParseError error = error_of("{\n  \"é\": 1,\n  \"b\": ,\n}");
  EXPECT_EQ(error.reason, Reason::syntax);
  EXPECT_EQ(error.offset, 20U);
  EXPECT_EQ(error.line, 3U);
  EXPECT_EQ(error.column, 8U);
  EXPECT_EQ(error.text(), "line 3, column 8: expected a value, found ','");
  EXPECT_EQ(error.to_error().kind, ErrorKind::invalid);
}

TEST(Parse, CountsEveryEndOfLineOnceAndColumnsInCodePoints) {
  const ParseError error = error_of("[\r\n\r\n\"€😀\", \r x]");
  EXPECT_EQ(error.line, 4U);
  EXPECT_EQ(error.column, 2U);
  EXPECT_EQ(error_of("[\"€😀\",x]").column, 7U);
}

TEST(Parse, SaysWhatStoodThere) {
  EXPECT_EQ(error_of("").message, "expected a value, found the end");
  EXPECT_EQ(error_of("[1 2]").message, "expected ',' or ']', found '2'");
  EXPECT_EQ(error_of("{\"a\" 1}").message, "expected ':', found '1'");
  EXPECT_EQ(error_of("{1:2}").message, "expected a name in quotes, found '1'");
  EXPECT_EQ(error_of("1 2").message, "expected the end, found '2'");
  EXPECT_EQ(error_of("01").message, "expected no digit after a leading zero, found '1'");
  EXPECT_EQ(error_of("\"a").message, "the string does not end");
  EXPECT_EQ(error_of("\"a\nb\"").message, "a raw control character in a string, byte 0x0a");
  EXPECT_EQ(error_of("\"\\x41\"").message, "no such escape in JSON: '\\' and 'x'");
}

TEST(Parse, TellsBadEncodingFromBadSyntax) {
  EXPECT_EQ(error_of("\xEF\xBB\xBF{}").reason, Reason::encoding);
  EXPECT_EQ(error_of("\"\\ud800\"").reason, Reason::encoding);
  EXPECT_EQ(error_of("\"\\ud800\"").offset, 1U);
  EXPECT_EQ(error_of("[\"abc\xFF\"]").reason, Reason::encoding);
  EXPECT_EQ(error_of("[\"abc\xFF\"]").offset, 5U);
  EXPECT_EQ(error_of("[\"a\\n\xED\xA0\x80\"]").offset, 5U);
  EXPECT_EQ(error_of("[\xFF]").reason, Reason::encoding);
  EXPECT_EQ(error_of("[é]").reason, Reason::syntax);
}

TEST(Duplicates, AreRefusedAfterUnescaping) {
  const ParseError plain = error_of(R"({"a":1,"b":2,"a":3})");
  EXPECT_EQ(plain.reason, Reason::duplicate_key);
  EXPECT_EQ(plain.offset, 13U);
  EXPECT_EQ(plain.message, R"(the name "a" stands twice)");
  EXPECT_EQ(error_of(R"({"a":1, "\u0061":3})").offset, 8U);
  EXPECT_EQ(error_of(R"([{"x":{"":1,"":2}}])").offset, 12U);
  EXPECT_TRUE(parse(R"({"a":{"a":{"a":1}},"A":2,"a ":3})"));
}

TEST(Duplicates, AreQuotedShortAndEscaped) {
  const std::string name(100, 'x');
  EXPECT_EQ(error_of("{\"" + name + "\":1,\"" + name + "\":2}").message,
            "the name \"" + std::string(40, 'x') + "\"... stands twice");
  EXPECT_EQ(error_of(R"({"\u001b[2J":1,"\u001b[2J":2})").message,
            R"(the name "\u001b[2J" stands twice)");
  const std::string wide = std::string(39, 'x') + "€€";
  EXPECT_EQ(error_of("{\"" + wide + "\":1,\"" + wide + "\":2}").message,
            "the name \"" + std::string(39, 'x') + "\"... stands twice");
}

TEST(Duplicates, AreKeptWhereWeRelay) {
  const std::string text = R"({"a":1,"b":2,"a":3})";
  const auto value = parse(text, {.duplicates = Duplicates::keep});
  ASSERT_TRUE(value);
  EXPECT_EQ(to_string(*value), text);
  EXPECT_EQ(value->find("a")->as_int64(), 3);
}

TEST(Duplicates, AreFoundAtTheFirstPlaceInBigObjects) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"name" + std::to_string(i) + "\":0,";
  const std::size_t first = text.size();
  text += "\"name500\":1,\"name\\u0034\":2,\"name1\":3}";
  const ParseError error = error_of(text);
  EXPECT_EQ(error.reason, Reason::duplicate_key);
  EXPECT_EQ(error.offset, first);
}

TEST(Limits, OfDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse(nested(256)));
  const ParseError error = error_of(nested(257));
  EXPECT_EQ(error.reason, Reason::limit);
  EXPECT_EQ(error.offset, 256U);
  EXPECT_EQ(error.to_error().kind, ErrorKind::limit);
  EXPECT_EQ(error_of("{\"a\":[]}", {.limits = {.depth = 1}}).reason, Reason::limit);
  EXPECT_TRUE(parse("1", {.limits = {.depth = 0}}));
  const ParseOptions deep = {.limits = {.depth = 1'000'000}};
  EXPECT_TRUE(parse(nested(kDepthMax), deep));
  EXPECT_EQ(error_of(nested(kDepthMax + 1), deep).reason, Reason::limit);
}

TEST(Limits, OfBytesAndValues) {
  EXPECT_TRUE(parse("[1,2]", {.limits = {.bytes = 5, .values = 3}}));
  EXPECT_EQ(error_of("[1,2]", {.limits = {.bytes = 4}}).reason, Reason::limit);
  EXPECT_EQ(error_of("[1,2]", {.limits = {.values = 2}}).reason, Reason::limit);
  EXPECT_EQ(error_of("[1,2]", {.limits = {.values = 2}}).offset, 3U);
}

TEST(Document, KeepsItsTextAndValues) {
  Document document;
  EXPECT_TRUE(document.root().is_null());
  ASSERT_TRUE(document.parse(R"({"name":"a text that is not inline","n":[1,"\n"]})"));
  const Value copy = document.root();
  Document moved = std::move(document);
  EXPECT_EQ(moved.root(), copy);
  EXPECT_EQ(moved.root().find_string("name"), "a text that is not inline");
  EXPECT_GE(moved.root().find_string("name")->data(), moved.text().data());
  ASSERT_TRUE(moved.parse("[2]"));
  EXPECT_EQ(to_string(copy), R"({"name":"a text that is not inline","n":[1,"\n"]})");
  EXPECT_EQ(to_string(moved.root()), "[2]");
}

TEST(Document, HoldsNullAndTheTextAfterAnError) {
  Document document;
  ASSERT_TRUE(document.parse("[1]"));
  ASSERT_FALSE(document.parse("[1,"));
  EXPECT_TRUE(document.root().is_null());
  EXPECT_EQ(document.text(), "[1,");
  ASSERT_TRUE(document.parse("[3]"));
  EXPECT_EQ(to_string(document.root()), "[3]");
}

TEST(Document, ReadsBytesItDoesNotOwnWithoutTouchingWhatFollows) {
  const std::string text = "[1,\"abc\"]trailing";
  Document document;
  ASSERT_TRUE(document.parse_borrowed(std::string_view(text).substr(0, 9)));
  EXPECT_EQ(document.root().items()[1].string().data(), text.data() + 4);
}

TEST(Document, IsUsableAfterBeingMovedFrom) {
  Document document;
  ASSERT_TRUE(document.parse("[1]"));
  const Document taken = std::move(document);
  EXPECT_TRUE(document.root().is_null());  // NOLINT: the promise under test
  EXPECT_EQ(document.text(), "");
  ASSERT_TRUE(document.parse("[2]"));
  EXPECT_EQ(to_string(taken.root()), "[1]");
}

Result<Value> parsed_or_error(std::string_view text) {
  SQUALL_TRY(Value value, parse(text));
  return value;
}

TEST(ParseError, IsHandedOnAsAnError) {
  EXPECT_TRUE(parsed_or_error("1"));
  EXPECT_EQ(parsed_or_error("x").error().message, "line 1, column 1: expected a value, found 'x'");
}

}  // namespace
}  // namespace squall::json
