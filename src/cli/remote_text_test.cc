#include "remote_text.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::cli {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

TEST(Printable, ShowsControlCharactersForWhatTheyAre) {
  EXPECT_EQ(printable("a\tb\n\xC3\xBC"), "a\tb\n\xC3\xBC");
  EXPECT_EQ(printable("\x1b[31m\r\x7f\xC2\x9B"), "\\u{1b}[31m\\u{0d}\\u{7f}\\u{9b}");
}

TEST(Survey, ReadsLikeAPage) {
  Survey survey;
  survey.server.info = parsed(R"({"name":"orders","version":"1.2"})");
  survey.server.capabilities = parsed(R"({"tools":{},"prompts":{}})");
  survey.server.instructions = "Be kind.\nAnd brief.";
  survey.tools.push_back(parsed(
      R"({"name":"create","description":"Creates.\nLater.","inputSchema":{"type":"object",
          "required":["sku"],"properties":{"sku":{"type":"string","description":"Which one"},
          "size":{"enum":["S","M"],"default":"M"},"n":{"type":["integer","null"]}}}})"));
  survey.resources.push_back(parsed(R"({"uri":"file:///a","name":"A"})"));
  EXPECT_EQ(to_text(survey),
            "orders 1.2\n"
            "  protocol      2025-11-25\n"
            "  capabilities  tools, prompts\n"
            "  instructions  Be kind.\n"
            "\nTools (1)\n"
            "  create  Creates.\n"
            "      sku  string  Which one\n"
            "      size?  one of S, M [\"M\"]\n"
            "      n?  integer or null\n"
            "\nResources (1)\n"
            "  file:///a  A\n");
  const json::Value document = to_json(survey);
  EXPECT_EQ(document.find("protocolVersion")->string(), "2025-11-25");
  EXPECT_EQ(document.find("tools")->size(), 1U);
  EXPECT_EQ(document.find("prompts")->size(), 0U);
}

TEST(Survey, CutsLongLinesBetweenCharacters) {
  Survey survey;
  std::string about = "x";
  for (int i = 0; i < 80; ++i) about += "\xC3\xBC";
  survey.tools.push_back(json::Value::object({{"name", "t"}, {"description", about}}));
  const std::string text = to_text(survey);
  EXPECT_EQ(json::to_string(json::Value(text)).find("\xEF\xBF\xBD"), std::string::npos);
  EXPECT_NE(text.find("\xC3\xBC...\n"), std::string::npos);
}

TEST(Content, IsTextOrWhatStandsForIt) {
  EXPECT_EQ(content_text(parsed(R"({"content":[{"type":"text","text":"a"},
      {"type":"image","mimeType":"image/png","data":"AAAA"},
      {"type":"resource","resource":{"uri":"u","text":"inner\n"}},
      {"type":"resource_link","uri":"file:///x"}]})")),
            "a\n[image/png, 3 bytes]\ninner\nfile:///x\n");
  EXPECT_EQ(content_text(parsed(R"({"contents":[{"uri":"u","text":"body"}]})")), "body\n");
  EXPECT_EQ(content_text(parsed(R"({"messages":[{"role":"user","content":{"text":"hi"}}]})")),
            "user: hi\n");
  EXPECT_EQ(content_text(parsed(R"({"content":[],"structuredContent":{"a":1}})")),
            "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(content_text(parsed("{}")), "");
}

}  // namespace
}  // namespace squall::cli
