#include "squall/testing/tester.h"

#include <gtest/gtest.h>

#include "squall/server/registry.h"

namespace squall::testing {
namespace {

using namespace server;
using namespace std::chrono_literals;

struct Name {
  std::string name;
};
SQUALL_DESCRIBE(Name, name)

struct Greeting {
  std::string text;
};
SQUALL_DESCRIBE(Greeting, text)

Registry registry() {
  mcp::Implementation info;
  info.name = "t";
  info.version = "1";
  Registry registry(info);
  registry.query<Name>("people.greet").handle([](const Name& in) {
    return Greeting{"Hi " + in.name};
  });
  registry.query("people.slow").handle([](Context& context) -> Task<std::string> {
    for (int step = 1; step <= 3; ++step) {
      co_await context.sleep(10s);
      context.progress(step, 3);
    }
    co_return "done";
  });
  registry.query("people.ask").handle([](Context& context) -> Reply<Greeting> {
    const json::Value* answer = context.ask("name", elicit_form("Name?", schema::derive<Name>()));
    if (answer == nullptr) return context.need_input();
    return Greeting{"Hi " + std::string(answer->find("content")->find_string("name").value_or(""))};
  });
  registry.query("people.header").handle([](Context& context) {
    return std::string(context.header("X-Tenant").value_or("nobody"));
  });
  registry.query<Name>("people.block").handle(blocking([](BlockingCall&, const Name& in) {
    return "slowly " + in.name;
  }));
  registry.query("people.hang").handle([](Context& context) -> Task<std::string> {
    co_await context.wait_forever();
    co_return "never";
  });
  return registry;
}

TesterOptions options_for(mcp::Revision revision) {
  TesterOptions options;
  options.revision = revision;
  options.capabilities = json::Value::object(
      {{"elicitation", json::Value::object({{"form", json::Value::object()}})}});
  options.answer = [](std::string_view, const json::Value&) {
    return json::Value::object(
        {{"action", "accept"}, {"content", json::Value::object({{"name", "Ada"}})}});
  };
  return options;
}

class TesterOf : public ::testing::TestWithParam<mcp::Revision> {
 protected:
  Tester tester_{registry(), options_for(GetParam())};
};

TEST_P(TesterOf, GivesDataAndBlocks) {
  const Call call = tester_.call("people", "greet", json::Value::object({{"name", "Ada"}}));
  EXPECT_FALSE(call.is_error);
  EXPECT_EQ(call.status, 200);
  EXPECT_EQ(call.data, json::Value::object({{"text", "Hi Ada"}}));
  EXPECT_EQ(call.text(), R"({"text":"Hi Ada"})");
  EXPECT_NE(call.wire.find("Hi Ada"), std::string::npos);
}

TEST_P(TesterOf, RunsHandlersThatBlock) {
  const Call call = tester_.call("people", "block", json::Value::object({{"name", "Ada"}}));
  EXPECT_EQ(call.text(), "slowly Ada");
}

TEST_P(TesterOf, GivesTheCodeOfAnError) {
  const Call call = tester_.call("people", "greet", json::Value::object());
  EXPECT_TRUE(call.is_error);
  EXPECT_EQ(call.code, "VALIDATION_ERROR");
}

TEST_P(TesterOf, GivesProtocolErrors) {
  const Call call = tester_.call("nobody");
  EXPECT_TRUE(call.is_error);
  EXPECT_EQ(*call.error.find("code"), json::Value(-32602));
}

TEST_P(TesterOf, WaitsInVirtualTime) {
  json::Value params = json::Value::object(
      {{"name", "people"}, {"arguments", json::Value::object({{"action", "slow"}})}});
  params.set("_meta", json::Value::object({{"progressToken", "p"}}));
  const runtime::TimePoint before = tester_.loop().now();
  const Call call = tester_.request("tools/call", std::move(params));
  EXPECT_EQ(call.text(), "done");
  EXPECT_EQ(call.notifications.size(), 3U);
  EXPECT_GE(tester_.loop().now() - before, 30s);
}

TEST_P(TesterOf, AnswersWhatItIsAsked) {
  EXPECT_EQ(tester_.call("people", "ask", json::Value::object()).data,
            json::Value::object({{"text", "Hi Ada"}}));
}

TEST_P(TesterOf, GivesUpOnWhatNeverEnds) {
  const Call call = tester_.call("people", "hang", json::Value::object());
  EXPECT_TRUE(call.is_error);
  EXPECT_EQ(call.status, 0);
}

INSTANTIATE_TEST_SUITE_P(Revisions, TesterOf,
                         ::testing::Values(mcp::Revision::r2025_11_25, mcp::kLatestModern));

TEST(Tester, KeepsOneSessionOnRevisionsThatHaveThem) {
  Tester legacy(registry(), options_for(mcp::Revision::r2025_11_25));
  EXPECT_FALSE(legacy.session_id().empty());
  EXPECT_EQ(legacy.engine().session_count(), 1U);
  Tester modern(registry());
  EXPECT_TRUE(modern.session_id().empty());
  EXPECT_EQ(modern.engine().session_count(), 0U);
}

TEST(Tester, CallsFlatActionsByTheirNames) {
  TesterOptions options;
  options.compile.exposition = Exposition::flat;
  options.headers = {{"X-Tenant", "acme"}};
  Tester tester(registry(), options);
  EXPECT_EQ(tester.call("people", "header", json::Value::object()).text(), "acme");
  EXPECT_EQ(tester.call("people_header").text(), "acme");
}

}  // namespace
}  // namespace squall::testing
