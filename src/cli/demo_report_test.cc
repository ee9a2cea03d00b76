#include "demo_report.h"

#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "version.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

DemoReport make_report() {
  DemoReport report;
  report.endpoint = "http://127.0.0.1:1/mcp";
  report.steps = {{"tools/list", "delay", 250us}, {"tools/call delay", "done", 517460us}};
  report.outcome = Outcome::success;
  report.duration = 517460us;
  report.assertions = {{"it works", true}, {"it is fast", true}};
  report.result = json::Value::object({{"content", json::Value::array()}});
  return report;
}

TEST(DemoText, SaysWhatHappened) {
  EXPECT_EQ(demo_text(make_report(), false), "Squall " + std::string(kVersion) + R"( demo
A server at http://127.0.0.1:1/mcp and a client of MCP 2026-07-28, over a real socket.

  tools/list        delay  0.25 ms
  tools/call delay  done   517.46 ms

Scenario: A call that takes half a second
Outcome: success
Duration: 517.46 ms
Assertions: passed
  holds  it works
  holds  it is fast

The server did what it promised. Try your own client: squall serve --help
)");
}

TEST(DemoText, SaysWhatFailed) {
  DemoReport report = make_report();
  report.outcome = Outcome::error;
  report.error = "the connection broke";
  report.assertions[1].holds = false;
  const std::string text = demo_text(report, false);
  EXPECT_THAT(text, HasSubstr("Outcome: error\nError: the connection broke\n"));
  EXPECT_THAT(text, HasSubstr("Assertions: failed\n  holds  it works\n  fails  it is fast\n"));
  EXPECT_THAT(text, HasSubstr("did not do"));
}

TEST(DemoText, UsesColoursOnlyWhenAsked) {
  EXPECT_THAT(demo_text(make_report(), false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(demo_text(make_report(), true), HasSubstr("\x1b[32mpassed\x1b[0m"));
}

TEST(DemoJson, IsOneDocumentWithKnownKeysFirst) {
  DemoReport report = make_report();
  const std::string text = demo_json(report);
  const auto document = json::parse(text);
  ASSERT_TRUE(document.has_value());
  std::vector<std::string> keys;
  for (const json::Member& member : document->members()) keys.emplace_back(member.name());
  EXPECT_THAT(keys, testing::ElementsAre("name", "outcome", "durationMs", "passed", "failures",
                                         "result", "protocolVersion", "endpoint", "steps"));
  EXPECT_EQ(document->find("durationMs")->as_double(), 517.46);
  EXPECT_EQ(*document->find("passed"), json::Value(true));

  report.assertions[0].holds = false;
  const auto failed = json::parse(demo_json(report));
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(*failed->find("passed"), json::Value(false));
  EXPECT_EQ(*failed->find("failures"), json::Value::array({"it works"}));
}

}  // namespace
}  // namespace squall::cli
