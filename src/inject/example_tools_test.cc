#include "squall/inject/example_tools.h"

#include <gtest/gtest.h>

namespace squall::inject {
namespace {

TEST(ExampleTools, AnswerByTheirArgumentsAlone) {
  const json::Value first = json::Value::object({{"account_id", "ACC-1001"}});
  const json::Value second = json::Value::object({{"account_id", "ACC-1002"}});
  EXPECT_EQ(call_example_tool("get_account_balance", first),
            call_example_tool("get_account_balance", first));
  EXPECT_NE(call_example_tool("get_account_balance", first),
            call_example_tool("get_account_balance", second));
}

TEST(ExampleTools, AreToolsThatCompile) {
  server::Registry registry({.name = "examples", .version = "1"});
  add_example_tools(registry);
  const auto pipeline = registry.compile();
  EXPECT_TRUE(pipeline.has_value()) << (pipeline ? "" : pipeline.error().message);
}

TEST(ExampleTools, SearchGivesAsManyResultsAsAskedFor) {
  const json::Value found =
      call_example_tool("search", json::Value::object({{"query", "retries"}, {"limit", 7}}));
  EXPECT_EQ(found.find("structuredContent")->find("results")->size(), 7U);
}

}  // namespace
}  // namespace squall::inject
