#include "demo.h"

#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "captured_console.h"

namespace squall::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Demo, CallsARealServerAndPasses) {
  const auto report = run_demo();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_TRUE(report->passed()) << demo_text(*report, false);
  EXPECT_EQ(report->outcome, Outcome::success);
  EXPECT_GE(report->duration, 500ms);
  ASSERT_EQ(report->steps.size(), 3u);
  EXPECT_EQ(report->steps[0].answer, "speaks 2026-07-28");
  EXPECT_EQ(report->steps[1].answer, "8 tools");
  EXPECT_EQ(report->steps[2].answer, R"({"status":"delayed","delayMs":500})");
}

TEST(Demo, PrintsOneDocumentWhenAskedForJson) {
  CapturedConsole console;
  EXPECT_EQ(demo({.json = true}, console), Exit::passed);
  EXPECT_EQ(console.errors, "");
  const auto document = json::parse(console.output);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(*document->find("passed"), json::Value(true));
  EXPECT_THAT(console.output, HasSubstr("\"outcome\": \"success\""));
}

}  // namespace
}  // namespace squall::cli
