#include "squall/client/outcome.h"

#include <gtest/gtest.h>

#include "squall/json/write.h"

namespace squall::client {
namespace {

ToolResult result_of(std::string text) {
  json::Document document;
  EXPECT_TRUE(document.parse(std::move(text)).has_value());
  const json::Value& root = document.root();
  return ToolResult(Answer(std::move(document), root));
}

TEST(ToolResult, JoinsItsTextBlocksAndLeavesOutTheOthers) {
  const ToolResult result =
      result_of(R"({"content":[{"type":"text","text":"a"},{"type":"image","data":""},)"
                R"({"type":"text","text":"b"},{"type":"text","text":7},3]})");
  EXPECT_EQ(result.text(), "a\nb\n");
  EXPECT_FALSE(result.is_error());
  EXPECT_EQ(result.structured(), nullptr);
}

TEST(ToolResult, TellsNullFromAbsentStructuredContent) {
  const ToolResult result = result_of(R"({"structuredContent":null})");
  ASSERT_NE(result.structured(), nullptr);
  EXPECT_TRUE(result.structured()->is_null());
}

TEST(ToolResult, KeepsNumbersAsTheyWereWritten) {
  const ToolResult result =
      result_of(R"({"structuredContent":{"id":9007199254740993,"e":1e400,"t":1.10}})");
  EXPECT_EQ(json::to_string(*result.structured()), R"({"id":9007199254740993,"e":1e400,"t":1.10})");
}

TEST(OutcomeKind, OfAToolCallDependsOnIsErrorAlone) {
  EXPECT_EQ(kind_of(Outcome<ToolResult>(result_of(R"({"isError":true})"))),
            OutcomeKind::tool_error);
  EXPECT_EQ(kind_of(Outcome<ToolResult>(result_of(R"({"isError":"yes"})"))), OutcomeKind::success);
  Failure failure;
  failure.kind = OutcomeKind::timeout;
  EXPECT_EQ(kind_of(Outcome<ToolResult>(std::unexpected(failure))), OutcomeKind::timeout);
  EXPECT_EQ(to_text(OutcomeKind::tool_error), "tool_error");
}

TEST(Failure, SaysWhetherTheRequestMayHaveRun) {
  Failure failure;
  failure.kind = OutcomeKind::lost;
  EXPECT_FALSE(failure.may_have_run());
  failure.loss.may_have_run = true;
  EXPECT_TRUE(failure.may_have_run());
  failure.kind = OutcomeKind::protocol_error;
  EXPECT_FALSE(failure.may_have_run());
  failure.kind = OutcomeKind::timeout;
  EXPECT_TRUE(failure.may_have_run());
}

}  // namespace
}  // namespace squall::client
