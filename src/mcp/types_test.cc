#include "squall/mcp/types.h"

#include <gtest/gtest.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::mcp {
namespace {

std::optional<ClientCapabilities> read(const char* text) {
  return ClientCapabilities::from(*json::parse(text));
}

TEST(ClientCapabilities, AnEmptyElicitationMeansForms) {
  EXPECT_TRUE(read(R"({"elicitation":{}})")->elicitation_form);
  EXPECT_FALSE(read(R"({"elicitation":{}})")->elicitation_url);
  EXPECT_FALSE(read(R"({"elicitation":{"url":{}}})")->elicitation_form);
  EXPECT_TRUE(read(R"({"elicitation":{"url":{},"form":{}}})")->elicitation_form);
  EXPECT_TRUE(read(R"({"sampling":{"tools":{}}})")->sampling_tools);
  EXPECT_FALSE(read("{}")->roots);
}

TEST(ClientCapabilities, RefusesWhatIsNoObject) {
  for (const char* text :
       {"[]", "null", "1", R"({"roots":true})", R"({"sampling":[]})", R"({"elicitation":null})"}) {
    EXPECT_FALSE(read(text).has_value()) << text;
  }
}

TEST(LogLevel, TextsRoundTripAndOrderBySeverity) {
  EXPECT_EQ(log_level_from("warning"), LogLevel::warning);
  EXPECT_EQ(to_text(LogLevel::emergency), "emergency");
  EXPECT_EQ(log_level_from("warn"), std::nullopt);
  EXPECT_LT(LogLevel::debug, LogLevel::error);
}

TEST(Implementation, LeavesEmptyMembersOut) {
  Implementation who;
  who.name = "a";
  who.version = "1";
  EXPECT_EQ(json::to_string(who.to_json()), R"({"name":"a","version":"1"})");
  who.title = "A";
  EXPECT_EQ(json::to_string(who.to_json()), R"({"name":"a","version":"1","title":"A"})");
}

}  // namespace

}  // namespace squall::mcp
