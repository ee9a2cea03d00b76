#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/server/guards/guards.h"

#include "../presenter/blocks.h"

namespace squall::server {
namespace {

constexpr mcp::Revision kRevision = mcp::kLatestModern;

json::Value numbers(int count) {
  json::Value list = json::Value::array();
  for (int i = 0; i < count; ++i) {
    list.push_back(json::Value::object({{"n", i}, {"text", "some words <&> \" to escape"}}));
  }
  return list;
}

std::size_t written(const ToolResult& result) {
  std::string text = "[]";
  for (const Content& block : result.content) {
    block.write(text, kRevision);
    text += ',';
  }
  if (result.structured) json::write(text, *result.structured);
  return text.size();
}

EgressOptions budget(std::size_t bytes) {
  EgressOptions options;
  options.bytes = bytes;
  return options;
}

TEST(Egress, LeavesWhatFitsAsItIs) {
  ToolResult result = ToolResult::text("short");
  EXPECT_FALSE(cut_to_budget(result, kRevision, budget(1'000)));
  EXPECT_EQ(result.content.size(), 1U);
  EXPECT_EQ(result.content[0].body(), "short");
}

TEST(Egress, CutsAListWhereAnItemEndsAndKeepsItJson) {
  ToolResult result;
  result.add(data_block(numbers(200)));
  EXPECT_TRUE(cut_to_budget(result, kRevision, budget(4'000)));
  EXPECT_LE(written(result), 4'000U);
  const auto value = json::parse(result.content[0].body());
  ASSERT_TRUE(value);
  EXPECT_GT(value->size(), 5U);
  EXPECT_LT(value->size(), 200U);
  const json::Value all = numbers(200);
  for (std::size_t i = 0; i < value->size(); ++i) EXPECT_EQ(value->items()[i], all.items()[i]);
  const std::string_view notice = result.content[1].body();
  EXPECT_NE(notice.find(std::to_string(value->size()) + " of its 200 items"), std::string::npos);
}

TEST(Egress, CutsTheLongestListOfAnObject) {
  ToolResult result;
  json::Value data = json::Value::object({{"total", 200}, {"few", json::Value::array({1, 2})}});
  data.set("items", numbers(200));
  result.add(data_block(data));
  EXPECT_TRUE(cut_to_budget(result, kRevision, budget(4'000)));
  const auto value = json::parse(result.content[0].body());
  ASSERT_TRUE(value);
  EXPECT_EQ(value->find("few")->size(), 2U);
  EXPECT_GT(value->find("items")->size(), 5U);
  EXPECT_LT(value->find("items")->size(), 200U);
}

TEST(Egress, KeepsRulesNoticesAndIsErrorWhateverIsCut) {
  for (const bool is_error : {false, true}) {
    ToolResult result;
    result.add(data_block(numbers(200)));
    result.add(notice_block("limit", "Shown are items 1 to 200 of 900."));
    result.add(rules_block({"Totals are in cents."}));
    result.add(suggestions_block({{"pay", "It is due."}}));
    result.is_error = is_error;
    EXPECT_TRUE(cut_to_budget(result, kRevision, budget(2'000)));
    ASSERT_EQ(result.content.size(), 5U);
    EXPECT_NE(result.content[1].body().find("of 900"), std::string::npos);
    EXPECT_NE(result.content[2].body().find("in cents"), std::string::npos);
    EXPECT_NE(result.content[3].body().find("It is due"), std::string::npos);
    EXPECT_EQ(result.is_error, is_error);
    EXPECT_LE(written(result), 2'000U);
  }
}

TEST(Egress, CountsBlocksOfEveryKind) {
  ToolResult result = ToolResult::text("first");
  result.add(Content::image(std::string(3'000, 'x'), "image/png"));
  result.add(Content::blob_resource("a://b", "image/png", std::string(3'000, 'x')));
  result.add(Content::text("last"));
  EXPECT_TRUE(cut_to_budget(result, kRevision, budget(2'000)));
  ASSERT_EQ(result.content.size(), 3U);
  EXPECT_EQ(result.content[0].body(), "first");
  EXPECT_EQ(result.content[1].body(), "last");
  EXPECT_NE(result.content[2].body().find("2 block(s) are left out"), std::string::npos);
}

TEST(Egress, CutsPlainTextBetweenLinesAndNeverWithinACharacter) {
  std::string lines;
  for (int i = 0; i < 300; ++i)
    lines += "\xC3\xA4\xC3\xB6\xC3\xBC \"line\" " + std::to_string(i) + "\n";
  ToolResult result = ToolResult::text(lines);
  EXPECT_TRUE(cut_to_budget(result, kRevision, budget(2'000)));
  EXPECT_TRUE(result.content[0].body().ends_with('\n'));
  EXPECT_LE(written(result), 2'000U);
  std::string word;
  for (int i = 0; i < 3'000; ++i) word += "\xE2\x82\xAC";
  result = ToolResult::text(word);
  EXPECT_TRUE(cut_to_budget(result, kRevision, budget(2'000)));
  EXPECT_EQ(result.content[0].body().size() % 3, 0U);
  EXPECT_GT(result.content[0].body().size(), 300U);
}

TEST(Egress, KeepsStructuredContentWholeUnlessToldOtherwise) {
  ToolResult result = ToolResult::of(numbers(200));
  EXPECT_TRUE(cut_to_budget(result, kRevision, budget(4'000)));
  EXPECT_EQ(result.structured->size(), 200U);
  EXPECT_TRUE(result.content[0].is_guidance());  // no room for the text that says the same
}

TEST(Egress, CutsStructuredContentSoThatItStillValidates) {
  EgressOptions options = budget(8'000);
  options.trim_structured = true;
  options.output =
      *schema::Schema::compile(json::parse(R"({"type":"array","minItems":5})").value());
  ToolResult result = ToolResult::of(numbers(200));
  EXPECT_TRUE(cut_to_budget(result, kRevision, options));
  EXPECT_LT(result.structured->size(), 200U);
  EXPECT_GE(result.structured->size(), 5U);
  EXPECT_LE(written(result), 8'000U);
  // Where a cut would break the schema there is none.
  options.output =
      *schema::Schema::compile(json::parse(R"({"type":"array","minItems":200})").value());
  ToolResult strict = ToolResult::of(numbers(200));
  cut_to_budget(strict, kRevision, options);
  EXPECT_EQ(strict.structured->size(), 200U);
}

}  // namespace
}  // namespace squall::server
