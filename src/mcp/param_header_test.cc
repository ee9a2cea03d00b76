#include "squall/mcp/param_header.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"

namespace squall::mcp {
namespace {

TEST(HeaderValue, EncodesExactlyWhatMayNotStandPlain) {
  for (const char* plain : {"us-west1", "a b", "42", "=?base64?x", "x?="}) {
    EXPECT_EQ(encode_header_value(plain), plain);
  }
  EXPECT_EQ(encode_header_value(""),
            "=?base64?"
            "?=");
  EXPECT_EQ(encode_header_value("h\u00e9\u00e9"), "=?base64?aMOpw6k=?=");
  for (const char* text : {" a", "a ", "a\tb", "a\nb", "=?base64?x?=", "\x7f"}) {
    EXPECT_TRUE(encode_header_value(text).starts_with("=?base64?")) << text;
    EXPECT_EQ(decode_header_value(encode_header_value(text)), text);
  }
}

TEST(HeaderValue, RefusesBadBase64AndTakesHalfASentinelLiterally) {
  for (const char* bad :
       {"=?base64?aMOpw6k?=", "=?base64?a*==?=", "=?base64?aMOpw6l=?=", "=?base64?/w==?="}) {
    EXPECT_EQ(decode_header_value(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(decode_header_value("=?base64?aGk="), "=?base64?aGk=");
  EXPECT_EQ(decode_header_value("aGk=?="), "aGk=?=");
  EXPECT_EQ(decode_header_value("=?BASE64?aGk=?="), "=?BASE64?aGk=?=");
}

TEST(ParamHeaders, FindsNestedPropertiesAndReadsTheirArguments) {
  const json::Value schema = *json::parse(R"({"type":"object","properties":{
    "region":{"type":"string","x-mcp-header":"Region"},
    "page":{"type":"object","properties":{"size":{"type":"integer","x-mcp-header":"Size"}}}}})");
  const auto found = param_headers(schema);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ((*found)[1].header, "Mcp-Param-Size");
  const json::Value arguments = *json::parse(R"({"region":null,"page":{"size":42.0}})");
  EXPECT_EQ(argument_of(arguments, (*found)[0]), nullptr);
  EXPECT_TRUE(header_matches(*argument_of(arguments, (*found)[1]), "42"));
  EXPECT_FALSE(header_matches(*argument_of(arguments, (*found)[1]), "43"));
}

TEST(ParamHeaders, RefusesEveryAnnotationThatMayNotStand) {
  for (const char* property :
       {R"({"type":"string","x-mcp-header":""})", R"({"type":"string","x-mcp-header":{}})",
        R"({"type":"string","x-mcp-header":null})", R"({"type":"string","x-mcp-header":"a b"})",
        R"({"type":"string","x-mcp-header":"a:b"})", R"({"type":"string","x-mcp-header":"\u00e9"})",
        R"({"type":"string","x-mcp-header":"a\u0001"})", R"({"type":"number","x-mcp-header":"A"})",
        R"({"x-mcp-header":"A"})", R"({"type":["string"],"x-mcp-header":"A"})",
        R"({"type":"array","items":{"type":"string","x-mcp-header":"A"}})",
        R"({"anyOf":[{"type":"string","x-mcp-header":"A"}]})"}) {
    const std::string schema =
        std::string(R"({"type":"object","properties":{"p":)") + property + "}}";
    EXPECT_FALSE(param_headers(*json::parse(schema)).has_value()) << property;
  }
  EXPECT_FALSE(param_headers(*json::parse(R"({"properties":{
    "a":{"type":"string","x-mcp-header":"Same"},"b":{"type":"string","x-mcp-header":"sAME"}}})"))
                   .has_value());
}

}  // namespace
}  // namespace squall::mcp
