#include "squall/report/write.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/schema/schema.h"

#include "recorded_run.h"

namespace squall::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Console, ShowsWhatWasExpectedAndHowToRepeatIt) {
  EXPECT_EQ(to_console(sample_report(), false),
            "failed        a lost response must not book twice  552 ms\n"
            "    step 5, observe list_orders: result.json /orders\n"
            "      expected  1\n"
            "      received  2\n"
            "    case      " +
                sample_report().scenarios[0].case_id +
                "\n"
                "    repeat    squall run scenarios/double_write.yaml --seed 7\n"
                "passed        a slow answer is waited for          517 ms\n"
                "inconclusive  <b>a rule that never struck</b>      1.20 ms\n"
                "    rule stale-row never became eligible\n"
                "    repeat    squall run scenarios/never.yaml --seed 9\n"
                "\n1 passed, 1 failed, 1 inconclusive in 1.07 s\n");
}

TEST(Console, UsesColoursOnlyWhereTheyAreWanted) {
  EXPECT_THAT(to_console(sample_report(), true), HasSubstr("\x1b[1;31mfailed"));
  EXPECT_THAT(to_console(sample_report(), false), Not(HasSubstr("\x1b")));
}

TEST(Json, KeepsToItsSchema) {
  const auto document = json::parse(json_schema());
  ASSERT_TRUE(document.has_value());
  const auto schema = schema::Schema::compile(*document);
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  RunReport report = sample_report();
  const auto check = [&] {
    return schema->validate(json::parse(to_json(report)).value()) == schema::Verdict::valid;
  };
  EXPECT_TRUE(check());
  report.scenarios.resize(1);
  report.scenarios[0].lead =
      json::Value::object({{"name", "x"}, {"failures", json::Value::array()}});
  EXPECT_TRUE(check());
  EXPECT_FALSE(schema->validate(json::Value::object({{"squall_report", 1}})) ==
               schema::Verdict::valid);
}

TEST(Json, BeginsWithTheKeysOfASimpleScenario) {
  RunReport report = sample_report();
  report.scenarios.resize(1);
  report.scenarios[0].lead = json::Value::object({{"name", "x"}, {"outcome", "error"}});
  EXPECT_THAT(to_json(report),
              testing::StartsWith("{\n  \"name\": \"x\",\n  \"outcome\": \"error\","));
}

TEST(Junit, IsWhatContinuousIntegrationReads) {
  const std::string xml = to_junit(sample_report());
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"squall\" tests=\"8\" failures=\"2\" errors=\"1\" "
                             "skipped=\"0\" time=\"1.070660\">"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"scenarios/double_write.yaml\" tests=\"6\" "
                             "failures=\"2\" errors=\"0\" skipped=\"0\" time=\"0.552000\" "
                             "timestamp=\"2026-01-01T00:00:00.000Z\">"));
  EXPECT_THAT(xml, HasSubstr("<property name=\"seed\" value=\"7\"/>"));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"result.json /orders: expected 1, received 2\" "
                             "type=\"failed\">"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"rule stale-row never became eligible\" "
                             "type=\"inconclusive\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"&lt;b&gt;a rule that never struck&lt;/b&gt;\""));
  EXPECT_THAT(xml, HasSubstr("repeat: squall run scenarios/double_write.yaml --seed 7"));
}

TEST(Github, NamesTheFileOfWhatDidNotPass) {
  EXPECT_EQ(to_github(sample_report()),
            "::error title=a lost response must not book twice,file=scenarios/double_write.yaml::"
            "failed%0Aresult.json /orders: expected 1, received 2%0A"
            "repeat: squall run scenarios/double_write.yaml --seed 7\n"
            "::warning title=<b>a rule that never struck</b>,file=scenarios/never.yaml::"
            "inconclusive: rule stale-row never became eligible%0A"
            "repeat: squall run scenarios/never.yaml --seed 9\n");
}

TEST(Html, HoldsNothingOfOthersAsItIs) {
  RunReport report = sample_report();
  report.scenarios[0].name = kHostileText;
  const std::string html = to_html(report).value();
  const std::size_t begin = html.find("{\"report\":\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string data = html.substr(begin, html.find("</script>", begin) - begin);
  EXPECT_EQ(data.find_first_of("<>&'"), std::string::npos);
  EXPECT_TRUE(json::parse(data).has_value());
}

TEST(EveryReport, ObeysNothingThatOthersNamed) {
  const RunReport report = hostile_report();
  const std::string xml = to_junit(report);
  EXPECT_THAT(xml, Not(HasSubstr("<script")));
  EXPECT_THAT(xml, Not(HasSubstr("<img")));
  for (const std::string& text : {xml, to_console(report, false), to_github(report)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
  const std::string json = to_json(report);
  const auto document = json::parse(json);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->find("scenarios")->items()[0].find_string("name"), kHostileText);
  const std::string html = to_html(report).value();
  const std::string_view data = std::string_view(html).substr(html.find("{\"report\":\""));
  EXPECT_THAT(std::string(data.substr(0, data.find("</script>"))), Not(HasSubstr("<")));
}

TEST(Github, StaysOneLineAScenario) {
  RunReport report = sample_report();
  for (ScenarioReport& each : report.scenarios) {
    each.name = "a\n::error::b";
    each.file = "x,line=1\n::stop-commands::y";
    each.why = "c\r\n::add-mask::d";
  }
  const std::string text = to_github(report);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find("\n::stop"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("file=x%2Cline=1"));
}

TEST(Html, IsOneFileOfModestSize) {
  RunReport report;
  // A hundred scenarios of ten messages, each of about 300 bytes.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    report.scenarios.push_back(from_case(record_double_write(2, seed)));
  }
  const std::string html = to_html(report).value();
  EXPECT_LE(html.size(), 300'000u);
  for (const char* reach : {"src=\"http", "href=\"http", "url(http", "@import"}) {
    EXPECT_THAT(html, Not(HasSubstr(reach)));
  }
}

/// A sweep with two ways of failing.
RunReport swept_report() {
  RunReport out = sample_report();
  out.scenarios.resize(1);
  SweepReport sweep;
  sweep.first = 1;
  sweep.last = 40;
  sweep.runs = 40;
  sweep.groups.push_back({.judgement = Judgement::failed,
                          .what = "step 2, observe list_orders: result /orders",
                          .runs = 25,
                          .seeds = {},
                          .case_id = "k3v5hmc2xq7a"});
  for (std::uint64_t seed = 1; seed <= 25; ++seed) sweep.groups[0].seeds.push_back(seed);
  sweep.groups.push_back({.judgement = Judgement::errored,
                          .what = "it\x1b[2J broke",
                          .runs = 1,
                          .seeds = {40},
                          .case_id = ""});
  sweep.others = 2;
  sweep.rules = {{"lost-answer", 41, 26}};
  out.scenarios[0].sweep = sweep;
  return out;
}

TEST(Sweep, IsShownByWhatFailed) {
  const std::string text = to_console(swept_report(), false);
  EXPECT_THAT(text, HasSubstr("    seeds     1..40: 40 runs\n"
                              "    failed    25 runs: step 2, observe list_orders: result /orders\n"
                              "      seeds   1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "
                              "16, 17, 18, 19, 20, ...\n"
                              "      case    k3v5hmc2xq7a\n"
                              "    errored   1 run: it"));
  EXPECT_THAT(text, HasSubstr("      seeds   40\n    2 more did not pass, in other ways\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  const std::string xml = to_junit(swept_report());
  EXPECT_THAT(xml, HasSubstr("<property name=\"seeds\" value=\"1..40\"/>"));
  EXPECT_THAT(xml, HasSubstr("failed with 25 seeds, the first 1: step 2, observe"));
}

TEST(Sweep, KeepsToTheSchemaOfTheReport) {
  const auto schema = schema::Schema::compile(json::parse(json_schema()).value());
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  const json::Value document = json::parse(to_json(swept_report())).value();
  EXPECT_EQ(schema->validate(document), schema::Verdict::valid);
  const json::Value& sweep = *document.find("scenarios")->items()[0].find("sweep");
  EXPECT_EQ(sweep.find("groups")->items()[0].find("seeds")->size(), 25U);
  EXPECT_EQ(sweep.find("rules")->items()[0].find("fired")->as_uint64(), 26U);
}

}  // namespace
}  // namespace squall::report
