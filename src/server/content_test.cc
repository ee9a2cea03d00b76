#include "squall/server/content.h"

#include <gtest/gtest.h>

namespace squall::server {
namespace {

std::string written(const Content& content, mcp::Revision revision = mcp::Revision::r2026_07_28) {
  std::string out;
  content.write(out, revision);
  return out;
}

TEST(Content, IsWrittenAsItsKindIs) {
  EXPECT_EQ(written(Content::text("a\"b")), R"({"type":"text","text":"a\"b"})");
  EXPECT_EQ(written(Content::image("png", "image/png")),
            R"({"type":"image","data":"cG5n","mimeType":"image/png"})");
  EXPECT_EQ(written(Content::audio("wav", "audio/wav")),
            R"({"type":"audio","data":"d2F2","mimeType":"audio/wav"})");
  EXPECT_EQ(written(Content::text_resource("a:b", "text/plain", "t")),
            R"({"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","text":"t"}})");
  EXPECT_EQ(written(Content::blob_resource("a:b", "", "png")),
            R"({"type":"resource","resource":{"uri":"a:b","blob":"cG5n"}})");
  EXPECT_EQ(written(Content::resource_link("a:b", "n", json::Value::object({{"size", 3}}))),
            R"({"type":"resource_link","uri":"a:b","name":"n","size":3})");
}

TEST(Content, OfJsonIsItsTextWhateverStandsInIt) {
  const json::Value value = json::Value::object({{"a\"\\", "line\nbreak \x01 \xC3\xA9 <b>"}});
  const Content block = Content::json_text(value);
  EXPECT_EQ(block.body(), json::to_string(value));
  EXPECT_EQ(written(block), written(Content::text(json::to_string(value))));
  EXPECT_EQ(written(block).find('\n'), std::string::npos);
}

TEST(Content, ThatIsPreparedIsTheSameAndChangesAlone) {
  Content block = Content::text("a \"rule\"").as_guidance();
  const std::string before = written(block);
  block.prepare();
  EXPECT_EQ(written(block), before);
  EXPECT_EQ(block.body(), "a \"rule\"");
  Content copy = block;
  copy.set_text("another");
  EXPECT_EQ(copy.body(), "another");
  EXPECT_EQ(written(copy), written(Content::text("another")));
  EXPECT_EQ(written(block), before);
  copy = block;
  copy.annotate(json::Value::object({{"priority", 1}}));
  EXPECT_NE(written(copy).find("\"priority\":1"), std::string::npos);
  EXPECT_NE(written(copy).find("rule"), std::string::npos);
  EXPECT_TRUE(copy.is_guidance());
  EXPECT_EQ(written(block), before);
}

TEST(Content, SaysInWordsWhatARevisionDoesNotKnow) {
  using mcp::Revision;
  const Content audio = Content::audio("wav", "audio/wav");
  EXPECT_EQ(written(audio, Revision::r2024_11_05), R"({"type":"text","text":"[audio/wav audio]"})");
  EXPECT_NE(written(audio, Revision::r2025_03_26).find("\"audio\""), std::string::npos);
  const Content link = Content::resource_link("a:b", "n");
  EXPECT_EQ(written(link, Revision::r2025_03_26), R"({"type":"text","text":"n: a:b"})");
  EXPECT_NE(written(link, Revision::r2025_06_18).find("resource_link"), std::string::npos);
}

TEST(Content, CarriesAnnotationsAndMeta) {
  Content content = Content::text("t");
  content.annotate(json::Value::object({{"priority", 1}})).meta(json::Value::object({{"k", "v"}}));
  EXPECT_EQ(written(content),
            R"({"type":"text","text":"t","annotations":{"priority":1},"_meta":{"k":"v"}})");
}

TEST(Content, LeavesOutWhatIsNoAnnotation) {
  Content content = Content::text("t");
  content.annotate(json::Value(7)).meta(json::Value("x"));
  EXPECT_EQ(written(content), R"({"type":"text","text":"t"})");
}

TEST(ToolResult, SaysWhetherItIsAnError) {
  EXPECT_FALSE(ToolResult::text("t").is_error);
  EXPECT_TRUE(ToolResult::error("t").is_error);
  EXPECT_TRUE(ToolResult::of(json::Value()).structured.has_value());
  EXPECT_EQ(ToolResult::text("t").add(Content::text("u")).content.size(), 2U);
}

TEST(Outcome, IsOneOfThree) {
  Outcome<ToolResult> result(ToolResult::text("t"));
  Outcome<ToolResult> need{NeedInput{}};
  Outcome<ToolResult> error(ProtocolError(7, "no"));
  EXPECT_NE(result.result(), nullptr);
  EXPECT_TRUE(need.needs_input());
  ASSERT_NE(error.error(), nullptr);
  EXPECT_EQ(error.error()->code, 7);
  EXPECT_EQ(error.result(), nullptr);
  EXPECT_FALSE(result.needs_input());
}

}  // namespace
}  // namespace squall::server
