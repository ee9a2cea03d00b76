#include "squall/json/yaml.h"

#include <gtest/gtest.h>

#include "squall/json/write.h"

namespace squall::json {
namespace {

using Reason = ParseError::Reason;

std::string read(std::string_view text) {
  const auto value = parse_yaml(text);
  return value ? to_string(*value) : value.error().text();
}

ParseError error_of(std::string_view text, const ParseOptions& options = {}) {
  auto result = parse_yaml(text, options);
  EXPECT_FALSE(result.has_value()) << text;
  return result ? ParseError{} : result.error();
}

TEST(Yaml, ReadsBlockAndFlow) {
  EXPECT_EQ(read(R"(# a profile
squall: 1
name: flaky
rules:
  - id: upstream-timeout
    message: "ETIMEDOUT: \u00e9"
    probability: 0.10
    when: { tool: "get_*", list: [a, 'b''c', [], {}] }
  - text: |
      two
      lines
    folded: >-
      one
      line
)"),
            R"({"squall":1,"name":"flaky","rules":[{"id":"upstream-timeout",)"
            R"("message":"ETIMEDOUT: é","probability":0.10,)"
            R"("when":{"tool":"get_*","list":["a","b'c",[],{}]}},)"
            R"({"text":"two\nlines\n","folded":"one line"}]})");
  EXPECT_EQ(read("--- 1\n"), "1");
  EXPECT_EQ(read("---\n..."), "null");
  EXPECT_EQ(read("{\"json\": [true, null]}"), R"({"json":[true,null]})");
}

TEST(Yaml, ResolvesPlainScalarsByTheCoreSchema) {
  const std::pair<const char*, const char*> scalars[] = {
      {"~", "null"},
      {"null", "null"},
      {"Null", "null"},
      {"NULL", "null"},
      {"nULL", "\"nULL\""},
      {"true", "true"},
      {"False", "false"},
      {"TRUE", "true"},
      {"tRUE", "\"tRUE\""},
      {"no", "\"no\""},
      {"yes", "\"yes\""},
      {"on", "\"on\""},
      {"y", "\"y\""},
      {"010", "10"},
      {"+12", "12"},
      {"-012", "-12"},
      {"0", "0"},
      {"-0", "-0"},
      {"000", "0"},
      {".5", "0.5"},
      {"1.", "1"},
      {"-.5", "-0.5"},
      {"+1.5E+03", "1.5E+03"},
      {"1.e3", "1e3"},
      {"0o17", "15"},
      {"0x1F", "31"},
      {"0xfF", "255"},
      {"-0x1F", "\"-0x1F\""},
      {"0o8", "\"0o8\""},
      {"0x", "\"0x\""},
      {"0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"},
      {"1_000", "\"1_000\""},
      {"1e", "\"1e\""},
      {".", "\".\""},
      {"+", "\"+\""},
      {"1.2.3", "\"1.2.3\""},
      {"12:30", "\"12:30\""},
      {"2026-07-28", "\"2026-07-28\""},
      {"=", "\"=\""},
      {"9007199254740993", "9007199254740993"},
      {"1e400", "1e400"},
      {"inf", "\"inf\""},
      {"'12'", "\"12\""},
      {"\"true\"", "\"true\""},
      {"''", "\"\""},
      {"! 12", "\"12\""},
      {"!!str 12", "\"12\""},
      {"!!int \"12\"", "12"},
      {"!!float 1", "1"},
      {"!!bool 'true'", "true"},
      {"!!null ''", "null"},
      {"!!str", "\"\""},
      {"!!seq [1]", "[1]"},
      {"!!map {a: 1}", "{\"a\":1}"},
      {"1500ms", "\"1500ms\""},
      {"1/8", "\"1/8\""},
      {"10%", "\"10%\""}};
  for (const auto& [yaml, json] : scalars) EXPECT_EQ(read(yaml), json) << yaml;
}

TEST(Yaml, RefusesWhatJsonCannotHold) {
  for (const char* text : {".inf",
                           "-.INF",
                           "+.Inf",
                           ".nan",
                           ".NaN",
                           "!!float .inf",
                           "&a 1",
                           "*a",
                           "[&a 1, *a]",
                           "&a [1]",
                           "&a {b: 1}",
                           "<<: {a: 1}",
                           "!custom 1",
                           "!custom [1]",
                           "!custom {a: 1}",
                           "!!binary aGVq",
                           "!!set {a, b}",
                           "!!int 1.5",
                           "!!int x",
                           "!!bool 1",
                           "!!null x",
                           "1: a",
                           "true: a",
                           "~: a",
                           ": a",
                           "[a]: b",
                           "{a: b}: c",
                           "? [a]\n: b",
                           "--- 1\n--- 2",
                           "1\n...\n2",
                           "",
                           "# only a comment\n",
                           "a: b: c",
                           "[1",
                           "{a: 1",
                           "a: 'x",
                           "- a\nb",
                           "\t- a",
                           "@a",
                           "`a",
                           "a: \"\\ud800\"",
                           "a: \"\\q\"",
                           "%YAML 3.0\n--- 1"}) {
    EXPECT_EQ(error_of(text).reason, Reason::syntax) << text;
  }
}

TEST(Yaml, RefusesBadEncodingWhereItStands) {
  EXPECT_EQ(error_of("\xEF\xBB\xBF"
                     "a: 1")
                .reason,
            Reason::encoding);
  EXPECT_EQ(error_of("a: b\nc: \xFF").offset, 8U);
  EXPECT_EQ(error_of("a: b\nc: \xFF").reason, Reason::encoding);
  EXPECT_EQ(error_of("a: \xED\xA0\x80").reason, Reason::encoding);
  EXPECT_EQ(error_of(std::string_view("a: \0b", 5)).reason, Reason::encoding);
  EXPECT_EQ(error_of("a: é\x01").offset, 5U);
}

TEST(Yaml, RefusesADuplicateKeyWhereItStands) {
  const ParseError error = error_of("é: 1\nb: 2\n'é': 3\n");
  EXPECT_EQ(error.reason, Reason::duplicate_key);
  EXPECT_EQ(error.line, 3U);
  EXPECT_EQ(error.column, 1U);
  EXPECT_EQ(error.offset, 11U);
  EXPECT_EQ(error.message, "the name \"é\" stands twice");
  EXPECT_EQ(error_of("{a: 1, a: 2}", {.duplicates = Duplicates::keep}).reason,
            Reason::duplicate_key);
}

TEST(Yaml, NamesTheLineOfAnError) {
  const ParseError error = error_of("a: 1\nb: [1,\n  2\nc: 3\n");
  EXPECT_EQ(error.line, 4U);
  EXPECT_EQ(error.to_error().kind, ErrorKind::invalid);
  EXPECT_EQ(error_of("a: é é *x\nb: *x").line, 2U);
  EXPECT_EQ(error_of("a: é é *x\nb: *x").column, 4U);
}

std::string repeat(std::string_view unit, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += unit;
  return text;
}

TEST(Yaml, HoldsItsLimits) {
  EXPECT_TRUE(parse_yaml(repeat("[", 64) + repeat("]", 64)));
  EXPECT_EQ(error_of(repeat("[", 65) + repeat("]", 65)).reason, Reason::limit);
  EXPECT_EQ(error_of("[[1]]", {.limits = {.depth = 1}}).reason, Reason::limit);
  EXPECT_EQ(error_of("[1, 2]", {.limits = {.values = 2}}).reason, Reason::limit);
  EXPECT_EQ(error_of("[1, 2]", {.limits = {.bytes = 5}}).reason, Reason::limit);
  EXPECT_TRUE(parse_yaml("a: " + std::string((1 << 20) - 3, 'x')));
  EXPECT_EQ(error_of("a: " + std::string((1 << 20) - 2, 'x')).reason, Reason::limit);
  EXPECT_TRUE(parse_yaml("0x" + std::string(256, 'F')));
  EXPECT_FALSE(parse_yaml("0x" + std::string(257, 'F')));
}

// Each of these took libyaml quadratic time, or grew without bound, without our limits; the
// longest of them is a megabyte, so a quadratic reader would not come back within the time limit.
TEST(Yaml, ComesBackFromHostileTexts) {
  for (const char* unit : {"[",     "{",     "- ",    "? ",   "[\n", "{\n",    "[a, ",
                           "{a: ",  "a: [",  "-\n",   "!a ",  "&a ", "*a ",    "%TAG !a! b\n",
                           "%a\n",  "'",     "\"",    "#\n",  "|\n", ">\n",    "a\n",
                           "---\n", "...\n", "\\",    ",",    ":",   "!!str ", "\t",
                           "!<",    "? - ",  "- - [", "a:\n "}) {
    const std::string text = repeat(unit, (std::size_t{1} << 20) / std::string_view(unit).size());
    const auto result = parse_yaml(text);
    EXPECT_TRUE(!result || to_string(*result).size() <= 3 * text.size()) << unit;
  }
}

TEST(Yaml, ReadsManyKeysAndItems) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "key" + std::to_string(i) + ": [a, b]\n";
  const auto value = parse_yaml(text);
  ASSERT_TRUE(value) << value.error().text();
  EXPECT_EQ(value->size(), 50'000U);
  EXPECT_EQ(error_of(text + "key7: 1").reason, Reason::duplicate_key);
}

}  // namespace
}  // namespace squall::json
