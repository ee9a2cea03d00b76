#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

using namespace std::string_literals;

/// @file Every way to be, and not to be, JSON: one line each.

namespace squall::json {
namespace {

struct Accepted {
  std::string in;
  std::string out;  // as written back
};

const std::vector<Accepted> kAccepted = {
    // White space and structure.
    {" [] ", "[]"},
    {"\t[\n]\r\n", "[]"},
    {"[[]   ]", "[[]]"},
    {"[1\n]", "[1]"},
    {" [1]", "[1]"},
    {"[2] ", "[2]"},
    {"[1,null,null,null,2]", "[1,null,null,null,2]"},
    {"{}", "{}"},
    {"{\"\":0}", "{\"\":0}"},
    {"{\"a\":[]}", "{\"a\":[]}"},
    {"{\n\"a\": \"b\"\n}", "{\"a\":\"b\"}"},
    {"{\"a\":\"b\", \"c\":{}}", "{\"a\":\"b\",\"c\":{}}"},
    {R"({"foo\u0000bar": 42})", R"({"foo\u0000bar":42})"},
    // One value of any kind.
    {"null", "null"},
    {"true", "true"},
    {"false", "false"},
    {"42", "42"},
    {"-0.1", "-0.1"},
    {"\"asd\"", "\"asd\""},
    {"\"\"", "\"\""},
    {"[\"a\"]\n", "[\"a\"]"},
    // Numbers.
    {"[0]", "[0]"},
    {"[-0]", "[-0]"},
    {"[0e1]", "[0e1]"},
    {"[0e+1]", "[0e+1]"},
    {"[1E22]", "[1E22]"},
    {"[1E-2]", "[1E-2]"},
    {"[1E+2]", "[1E+2]"},
    {"[20e1]", "[20e1]"},
    {"[123.456e78]", "[123.456e78]"},
    {"[123.456789]", "[123.456789]"},
    {"[-123]", "[-123]"},
    {"[-1]", "[-1]"},
    {"[ 4]", "[4]"},
    {"[0.4e00669999999999999999999999]", "[0.4e00669999999999999999999999]"},
    {"[-1e+9999]", "[-1e+9999]"},
    {"[123123e-10000000]", "[123123e-10000000]"},
    {"[-237462374673276894279832749832423479823246327846]",
     "[-237462374673276894279832749832423479823246327846]"},
    {"[-0.000000000000000000000000000000000000000000000000000000000000000001]",
     "[-0.000000000000000000000000000000000000000000000000000000000000000001]"},
    // Strings.
    {R"(["\u0060\u012a\u12AB"])", "[\"`Īካ\"]"},
    {R"(["\ud801\udc37"])", "[\"𐐷\"]"},
    {R"(["\uDBFF\uDFFE"])", "[\"\xF4\x8F\xBF\xBE\"]"},
    {R"(["\"\\\/\b\f\n\r\t"])", R"(["\"\\/\b\f\n\r\t"])"},
    {R"(["\\u0000"])", R"(["\\u0000"])"},
    {R"(["\""])", R"(["\""])"},
    {R"(["a/*b*/c/*d//e"])", R"(["a/*b*/c/*d//e"])"},
    {R"(["\\a"])", R"(["\\a"])"},
    {R"(["\\n"])", R"(["\\n"])"},
    {R"(["\u0012"])", R"(["\u0012"])"},
    {R"(["\uFFFF\uFFFE\uFDD0"])", "[\"\uFFFF\uFFFE\uFDD0\"]"},
    {R"(["new\u000Aline"])", R"(["new\nline"])"},
    {"[\"\x7F\"]", "[\"\x7F\"]"},
    {"[\"\u2028\u2029\"]", "[\"\u2028\u2029\"]"},
    {"[\"\xF4\x8F\xBF\xBF\"]", "[\"\xF4\x8F\xBF\xBF\"]"},
    {"[\"\xEF\xBB\xBF\"]", "[\"\xEF\xBB\xBF\"]"},
    {"[\"€𝄞\"]", "[\"€𝄞\"]"},
    {R"("\uA66D")", "\"ꙭ\""},
    {R"(["\u0022"])", R"(["\""])"},
    {R"(["\u005C"])", R"(["\\"])"},
    {R"({"min":-1.0e+28,"max":1.0e+28})", R"({"min":-1.0e+28,"max":1.0e+28})"},
};

const std::vector<std::string> kRefused = {
    // Arrays.
    "[1 true]",
    "[\"\": 1]",
    "[\"\"],",
    "[,1]",
    "[1,,2]",
    "[\"x\",,]",
    "[\"x\"]]",
    "[\"\",]",
    "[\"x\"",
    "[x",
    "[3[4]]",
    "[:]",
    "[,]",
    "[-]",
    "[   , \"\"]",
    "[\"a\",\n4\n,1,",
    "[1,]",
    "[1,,]",
    "[\"\va\"\\f]",
    "[*]",
    "[\"\"",
    "[1,",
    "[1,\n1\n,1",
    "[{}",
    "[",
    "]",
    "[}",
    "[[",
    // Literals.
    "[fals]",
    "[nul]",
    "[tru]",
    "[True]",
    "[NULL]",
    "nulll",
    "truefalse",
    "[nan]",
    "undefined",
    "TRUE",
    "n",
    "t",
    "f",
    "tr",
    "fals",
    // Numbers.
    "[++1234]",
    "[+1]",
    "[+Inf]",
    "[-01]",
    "[-1.0.]",
    "[-2.]",
    "[-NaN]",
    "[.-1]",
    "[.2e-3]",
    "[0.1.2]",
    "[0.3e+]",
    "[0.3e]",
    "[0.e1]",
    "[0E+]",
    "[0E]",
    "[0e+]",
    "[0e]",
    "[1.0e+]",
    "[1.0e-]",
    "[1.0e]",
    "[1 000.0]",
    "[1eE2]",
    "[2.e+3]",
    "[2.e-3]",
    "[2.e3]",
    "[9.e+]",
    "[Inf]",
    "[NaN]",
    "[1+2]",
    "[0x1]",
    "[0x42]",
    "[Infinity]",
    "[-Infinity]",
    "[0e+-1]",
    "[-foo]",
    "[- 1]",
    "[-012]",
    "[-.123]",
    "[-1x]",
    "[1ea]",
    "[1.]",
    "[.123]",
    "[1.2a-3]",
    "[1.8011670033376514H-308]",
    "[012]",
    "[00]",
    "-",
    "1e",
    "1.",
    "2@",
    "[１]",
    "[1e1.5]",
    "[--1]",
    "[1-]",
    // Objects.
    "[\"x\", truth]",
    "{[: \"x\"}\n",
    "{\"x\", null}",
    "{\"x\"::\"b\"}",
    "{🇨🇭}",
    "{\"a\":\"a\" 123}",
    "{key: 'value'}",
    "{\"a\" b}",
    "{:\"b\"}",
    "{\"a\" \"b\"}",
    "{\"a\":",
    "{\"a\"",
    "{1:1}",
    "{9999E9999:1}",
    "{null:null,null:null}",
    "{\"id\":0,,,,,}",
    "{'a':0}",
    "{\"id\":0,}",
    "{\"a\":\"b\"}/**/",
    "{\"a\":\"b\"}/**//",
    "{\"a\":\"b\"}//",
    "{\"a\":\"b\"}/",
    "{\"a\":\"b\",,\"c\":1}",
    "{a: \"b\"}",
    "{\"a\":\"a",
    "{ \"foo\" : \"bar\", \"a\" }",
    "{\"a\":\"b\"}#",
    "{",
    "}",
    "{]",
    "{,",
    "{\"a\":1]",
    "[1}",
    "{\"a\":true} \"x\"",
    // Strings.
    " ",
    "[\"\\uD800\\\"]",
    "[\"\\uD800\\u\"]",
    "[\"\\uD800\\u1\"]",
    "[\"\\uD800\\u1x\"]",
    "[é]",
    "[\"\\\x00\"]"s,
    "[\"\\x00\"]",
    "[\"\\\\\\\"]",
    "[\"\\\t\"]",
    "[\"\\🌀\"]",
    "[\"\\\"]",
    "[\"\\u00A\"]",
    "[\"\\uD834\\uDd\"]",
    "[\"\\uD800\\uD800\\x\"]",
    "[\"\\uqqqq\"]",
    "[\"\\a\"]",
    "[\"\\u\"]",
    "[\\u0020\"asd\"]",
    "[\\n]",
    "\"",
    "['single quote']",
    "abc",
    "[\"\\",
    "[\"a\x00"
    "a\"]"s,
    "[\"new\nline\"]",
    "[\"\t\"]",
    "\"\\UA66D\"",
    "\"\"x",
    "[\"\x1F\"]",
    "[\"\\u 041\"]",
    "[\"\\u-041\"]",
    "\"\\",
    "\"\\u",
    "\"\\u12",
    "\"a\\",
    // Lone surrogates, escaped and raw.
    "[\"\\uDADA\"]",
    "[\"\\uD888\\u1234\"]",
    "[\"\\uDd1e\\uD834\"]",
    "[\"\\uDFAA\"]",
    "[\"\\uD800\\n\"]",
    "[\"\\ud800abc\"]",
    "[\"\\uD800\\uD800\\uDC00\"]",
    "[\"\xED\xA0\x80\"]",
    "[\"\xED\xBF\xBF\"]",
    // Not UTF-8.
    "[\"\xFF\"]",
    "[\"\xE0\xFF\"]",
    "[\"\x81\"]",
    "[\"\xC0\xAF\"]",
    "[\"\xFC\x83\xBF\xBF\xBF\xBF\"]",
    "[\"\xFC\x80\x80\x80\x80\x80\"]",
    "[\"\xF4\xBF\xBF\xBF\"]",
    "[\"\xE6\x97\xA5\xD1\x88\xFA\"]",
    "[\"\xC2\"]",
    "[\"\xE2\x82\"]",
    "[\"\xF0\x9F\x98\"]",
    "[\xFF]",
    "[a\xE5]",
    "[0\xE5]",
    "[1e1\xE5]",
    "\xE9",
    "{\"\xB9\":\"0\",}",
    "[\"a long text before the bad byte \xC3(\"]",
    // Around the value.
    "",
    "\xEF\xBB\xBF",
    "\xEF\xBB\xBF{}",
    "\xFF\xFE[\0]\0"s,
    "\xEF\xBB",
    "[1]x",
    "[]\0"s,
    "<.>",
    "[<null>]",
    "aå",
    "[True]",
    "1]",
    "{\"x\": true,",
    "[][]",
    "{}}",
    "*",
    "[\f]",
    "[\v1]",
    "[\u00A0]",
    "\u2060[]",
    "[\\u000A\"\"]",
    "/* c */ 1",
    "// c\n1",
    "1 // c",
    "{}{}",
    "\0"s,
    "[\"asd]",
    "[1] 2",
};

TEST(ParseTable, AcceptsWhatIsJson) {
  for (const Accepted& accepted : kAccepted) {
    const auto value = parse(accepted.in);
    ASSERT_TRUE(value) << accepted.in << ": " << value.error().text();
    EXPECT_EQ(to_string(*value), accepted.out);
  }
}

TEST(ParseTable, RefusesWhatIsNot) {
  for (const std::string& refused : kRefused) {
    const auto value = parse(refused);
    ASSERT_FALSE(value) << refused;
    EXPECT_LE(value.error().offset, refused.size()) << refused;
  }
}

// Whatever stops a parser from reading beyond the end must hold at every length.
TEST(ParseTable, RefusesEveryPrefixOfAText) {
  const std::string text =
      R"({"a":[1.5e-7,true,null,"\u00e9\ud83d\ude00 and some more text €"],"b":{"c":false}})";
  ASSERT_TRUE(parse(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    const auto value = parse({exact.data(), exact.size()});
    ASSERT_FALSE(value) << size;
    EXPECT_LE(value.error().offset, size);
  }
}

TEST(ParseTable, FindsABadByteAtEveryPlaceOfAString) {
  for (std::size_t size = 1; size < 50; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char bad : {'\n', '\0', '\xFF', '\x80'}) {
        std::string text = '"' + std::string(size, 'x') + '"';
        text[at + 1] = bad;
        const auto value = parse(text);
        ASSERT_FALSE(value) << size << " " << at;
        EXPECT_EQ(value.error().offset, at + 1);
      }
    }
  }
}

}  // namespace
}  // namespace squall::json
