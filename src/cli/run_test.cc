#include "run.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "captured_console.h"

namespace squall::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class RunScenarios : public testing::Test {
 protected:
  RunScenarios() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "squall-run-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::current_path(folder_);
    write("good.json", simple("good", "ping", "success"));
    write("bad.json", simple("bad", "ping", "timeout"));
  }
  ~RunScenarios() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  static std::string simple(const std::string& name, const std::string& tool,
                            const std::string& outcome) {
    return R"({"name":")" + name + R"(","call":{"tool":")" + tool +
           R"(","args":{}},"timeoutMs":500,"expect":{"outcome":")" + outcome + "\"}}";
  }
  static void write(const std::string& name, const std::string& text) {
    std::ofstream(name) << text;
  }
  int run(std::vector<const char*> words) {
    console_.output.clear();
    console_.errors.clear();
    words.insert(words.begin(), "run");
    return static_cast<int>(cli::run(words, console_));
  }
  [[nodiscard]] json::Value document() const {
    const auto parsed = json::parse(console_.output);
    EXPECT_TRUE(parsed.has_value()) << console_.output;
    return parsed.value_or(json::Value());
  }

  CapturedConsole console_;

 private:
  fs::path before_;
  fs::path folder_;
};

TEST_F(RunScenarios, EndsWithWhatItFound) {
  EXPECT_EQ(run({"good.json"}), 0);
  EXPECT_THAT(console_.output, HasSubstr("1 passed in "));
  EXPECT_THAT(console_.errors, IsEmpty());
  EXPECT_EQ(run({"bad.json"}), 2);
  EXPECT_THAT(console_.output, HasSubstr("expected  timeout"));
  EXPECT_THAT(console_.output, HasSubstr("repeat    squall run bad.json"));
  EXPECT_EQ(run({"missing.json"}), 1);
  EXPECT_EQ(console_.errors,
            "squall: Failed to run scenario: missing.json: No such file or "
            "directory\n");
  EXPECT_THAT(console_.output, IsEmpty());
}

TEST_F(RunScenarios, BeginsWithALineForScripts) {
  write("full.yaml", "squall: 1\nname: f\nsteps: [ { call: { tool: ping } } ]\n");
  EXPECT_EQ(run({"full.yaml"}), 0);
  EXPECT_THAT(console_.errors, MatchesRegex("squall [^ ]+ running scenarios=1 runs=1 "
                                            "scheme=squall-draw-1 run=[a-z2-7]{12}\n"));
  EXPECT_EQ(run({"full.yaml", "--quiet"}), 0);
  EXPECT_THAT(console_.errors, IsEmpty());
}

TEST_F(RunScenarios, IsInconclusiveWhereTheTargetOfAFullScenarioCannotBeReached) {
  write("full.yaml", "squall: 1\nname: f\nsteps: [ { call: { tool: ping } } ]\n");
  write("t.json", R"({"adapter":"mcp","config":{"transport":"stdio","command":"/no/such"}})");
  EXPECT_EQ(run({"full.yaml", "--target", "t.json"}), 3);
  EXPECT_THAT(console_.output, HasSubstr("adapter setup failed"));
  EXPECT_EQ(run({"good.json", "--target", "t.json"}), 1);
}

TEST_F(RunScenarios, TellsArgumentErrorsInTheReportsForm) {
  EXPECT_EQ(run({"--report", "json"}), 1);
  EXPECT_EQ(console_.output,
            "{\n  \"passed\": false,\n  \"error\": {\n    \"code\": \"invalid_arguments\",\n"
            "    \"message\": \"run needs a scenario: a file, a folder or a pattern\"\n  }\n}\n");
  EXPECT_THAT(console_.errors, IsEmpty());
  EXPECT_EQ(run({"good.json", "--nope", "--report", "json", "--report", "junit"}), 1);
  EXPECT_THAT(console_.output, HasSubstr("<testsuite name=\"invalid_arguments\""));
  EXPECT_THAT(console_.output, HasSubstr("<testcase name=\"execution\""));
  EXPECT_EQ(run({"good.json", "--report", "xml"}), 1);
  EXPECT_THAT(console_.errors, StartsWith("squall: "));
  EXPECT_EQ(run({"good.json", "--target", "a", "--target", "b"}), 1);
  EXPECT_THAT(console_.errors, HasSubstr("--target"));
}

TEST_F(RunScenarios, NamesWhatCouldNotBeLoaded) {
  const auto code = [&] {
    return std::string(document().find("error")->find_string("code").value_or(""));
  };
  EXPECT_EQ(run({"missing.json", "--report", "json"}), 1);
  EXPECT_EQ(code(), "scenario_load_failed");
  EXPECT_EQ(run({"good.json", "--target", "missing.json", "--report", "json"}), 1);
  EXPECT_EQ(code(), "target_load_failed");
  EXPECT_EQ(run({"good.json", "--report", "json=/no/such/file", "--report", "json"}), 1);
  EXPECT_THAT(console_.output, HasSubstr("scenario_execution_failed"));
  EXPECT_EQ(run({"*.json", "--filter", "nobody", "--report", "json"}), 1);
  EXPECT_EQ(code(), "scenario_load_failed");
}

TEST_F(RunScenarios, HasTheFailureLabsKeysFirst) {
  write("observed.json",
        R"({"name":"o","call":{"tool":"hang","args":{}},"timeoutMs":20,)"
        R"("expect":{"outcome":"success"},"observe":{"call":{"tool":"ping","args":{}},)"
        R"("expect":{"outcome":"success","result":{"textContains":"never"}}}})");
  EXPECT_EQ(run({"observed.json", "--report", "json"}), 2);
  const json::Value report = document();
  std::string keys;
  for (const json::Member& member : report.members()) keys += std::string(member.name()) + " ";
  EXPECT_THAT(keys, StartsWith("name outcome durationMs passed failures error observer "));
  EXPECT_EQ(report.find("failures")->items()[0].string(),
            "expected outcome success, received timeout");
  EXPECT_EQ(report.find("failures")->items()[1].string(),
            "observer: expected result text to contain \"never\"");
  EXPECT_EQ(report.find("observer")->find_string("outcome"), "success");
}

TEST_F(RunScenarios, WritesSeveralReportsAtOnce) {
  EXPECT_EQ(
      run({"*.json", "--report", "junit=out.xml", "--report", "html=out.html", "--report", "json"}),
      2);
  EXPECT_TRUE(fs::exists("out.xml"));
  EXPECT_GT(fs::file_size("out.html"), 1000U);
  EXPECT_EQ(document().find("scenarios")->size(), 2U);
}

TEST_F(RunScenarios, KeepsTheCasesOfFailuresAndOfAllWhenAskedTo) {
  EXPECT_EQ(run({"good.json"}), 0);
  EXPECT_FALSE(fs::exists("squall-cases"));
  EXPECT_EQ(run({"bad.json"}), 2);
  EXPECT_TRUE(fs::exists("squall-cases"));
  EXPECT_EQ(run({"good.json", "--record", "all"}), 0);
  EXPECT_TRUE(fs::exists("all"));
  console_.variables["SQUALL_RECORD"] = "by-variable";
  EXPECT_EQ(run({"good.json"}), 0);
  EXPECT_TRUE(fs::exists("by-variable"));
}

TEST_F(RunScenarios, ListsChoosesAndRemembers) {
  EXPECT_EQ(run({".", "--list"}), 0);
  EXPECT_EQ(console_.output, "./bad.json  bad\n./good.json  good\n");
  EXPECT_EQ(run({".", "--only-failed"}), 2);
  EXPECT_THAT(console_.errors, HasSubstr("running all"));
  EXPECT_EQ(run({".", "--only-failed", "--list"}), 0);
  EXPECT_EQ(console_.output, "./bad.json  bad\n");
  write("bad.json", simple("bad", "ping", "success"));
  EXPECT_EQ(run({".", "--only-failed"}), 0);
  EXPECT_EQ(run({".", "--only-failed", "--list"}), 0);
  EXPECT_EQ(console_.output, "./bad.json  bad\n./good.json  good\n");
}

TEST_F(RunScenarios, TellsTheFlakeRateOfRepeatedRuns) {
  EXPECT_EQ(run({"bad.json", "--repeat", "20", "--jobs", "2"}), 2);
  EXPECT_THAT(console_.output,
              HasSubstr("20 of 20 runs did not pass: 100.0% (95%: 83.9% to 100.0%)"));
  EXPECT_THAT(console_.output, HasSubstr("--repeat 20"));
}

TEST_F(RunScenarios, AnnotatesOnGitHub) {
  console_.variables["GITHUB_ACTIONS"] = "true";
  EXPECT_EQ(run({"bad.json", "--report", "json"}), 2);
  EXPECT_THAT(console_.errors, StartsWith("::error title=bad,file=bad.json::"));
  static_cast<void>(document());
}

TEST_F(RunScenarios, ChoosesTheRevision) {
  for (const char* protocol : {"2025-11-25", "2026-07-28"}) {
    EXPECT_EQ(run({"good.json", "--protocol", protocol, "--report", "json"}), 0);
    EXPECT_EQ(document().find("scenarios")->items()[0].find_string("protocol"), protocol);
  }
}

TEST_F(RunScenarios, NamesTheSeedOfFaults) {
  write("faulty.yaml",
        "squall: 1\nname: f\nfaults: { profile: p.yaml, seed: 5 }\n"
        "steps: [ { call: { tool: ping }, expect: { outcome: error } } ]\n"
        "expect: { faults: { fired: [ broken ] } }\n");
  write("p.yaml", "squall: 1\nname: p\nrules: [ { id: broken, fault: error, message: no } ]\n");
  EXPECT_EQ(run({"faulty.yaml", "--report", "json"}), 0);
  EXPECT_EQ(document().find("scenarios")->items()[0].find_string("seed"), "5");
  EXPECT_EQ(run({"faulty.yaml", "--seed", "9", "--report", "json"}), 0);
  EXPECT_EQ(document().find("scenarios")->items()[0].find_string("seed"), "9");
  write("p.yaml", "squall: 1\nname: p\nrules: [ { id: broken, fault: eror } ]\n");
  EXPECT_EQ(run({"faulty.yaml"}), 1);
  EXPECT_THAT(console_.errors, HasSubstr("/rules/0/fault"));
}

TEST_F(RunScenarios, TakesAProfileOrAScheduleInPlaceOfTheScenariosOwn) {
  write("s.yaml",
        "squall: 1\nname: f\nsteps: [ { call: { tool: ping }, expect: { outcome: error } } ]\n");
  write("p.yaml", "squall: 1\nname: p\nrules: [ { id: broken, fault: error, message: no } ]\n");
  write("schedule.yaml",
        "squall: 1\nschedule: s\nseed: \"77\"\nstrikes:\n"
        "  - {site: '[\"args\",\"ping\",{},1]', rule: broken, fault: error}\n");
  EXPECT_EQ(run({"s.yaml"}), 2);
  EXPECT_EQ(run({"s.yaml", "--profile", "p.yaml"}), 0);
  EXPECT_EQ(run({"s.yaml", "--profile", "schedule.yaml"}), 0);
  EXPECT_THAT(console_.errors, HasSubstr("seed=77 seed_hex=0x4d seed_from=\"the schedule\""));
  console_.variables["SQUALL_PROFILE"] = "p.yaml";
  EXPECT_EQ(run({"s.yaml"}), 0);
  EXPECT_EQ(run({"s.yaml", "--profile", "off"}), 2);
  EXPECT_EQ(run({"s.yaml", "--profile", "no-such"}), 1);
}

/// Fails where the drawn fault strikes.
constexpr const char* kSwept =
    "squall: 1\nname: swept\nfaults: { profile: p.yaml }\n"
    "steps: [ { call: { tool: ping } } ]\n";

TEST_F(RunScenarios, SweepsSeedsAndNamesThoseThatFail) {
  write("swept.yaml", kSwept);
  write("p.yaml",
        "squall: 1\nname: p\nrules: [ { id: broken, fault: error, message: no, "
        "probability: 1/4 } ]\n");
  EXPECT_EQ(run({"swept.yaml", "--seeds", "1..40", "--jobs", "2", "--report", "json"}), 2);
  EXPECT_THAT(console_.errors, HasSubstr(" runs=40 seeds=1..40 seeds_hex=0x1..0x28 "
                                         "seed_from=--seeds profile=p profile_sha256="));
  const json::Value swept = document().find("scenarios")->items()[0];
  const json::Value& sweep = *swept.find("sweep");
  ASSERT_EQ(sweep.find("groups")->size(), 1U);
  const json::Value group = sweep.find("groups")->items()[0];
  EXPECT_EQ(group.find_string("what"), "step 1, call ping: outcome error in place of success");
  const std::string first(group.find("seeds")->items()[0].string());
  EXPECT_EQ(swept.find_string("seed"), first);
  EXPECT_EQ(swept.find_string("repeat"), "squall run swept.yaml --seed " + first);
  const std::size_t failing = group.find("seeds")->size();
  EXPECT_GT(failing, 2U);
  EXPECT_LT(failing, 20U);
  EXPECT_EQ(sweep.find("rules")->items()[0].find("fired")->as_uint64(), failing);
  EXPECT_EQ(sweep.find("rules")->items()[0].find("eligible")->as_uint64(), 40U);
  EXPECT_TRUE(fs::exists("squall-cases/" + std::string(*group.find_string("case")) + ".case"));
  // Those seeds fail one by one, and no other.
  EXPECT_EQ(run({"swept.yaml", "--seed", first.c_str()}), 2);
  EXPECT_EQ(run({"swept.yaml", "--seeds", "1..40", "--report", "console"}), 2);
  EXPECT_THAT(console_.output, AllOf(HasSubstr("seeds     1..40: 40 runs"),
                                     HasSubstr("call ping: outcome error in place of success\n"
                                               "      seeds   " +
                                               first)));
}

TEST_F(RunScenarios, ASweepInWhichARuleNeverStruckIsInconclusive) {
  write("swept.yaml", kSwept);
  write("p.yaml",
        "squall: 1\nname: p\nrules:\n"
        "  - { id: elsewhere, fault: error, message: no, when: { tool: other } }\n"
        "  - { id: rare, fault: error, message: no, probability: 1/1000000000 }\n");
  EXPECT_EQ(run({"swept.yaml", "--seeds", "1..5"}), 3);
  EXPECT_THAT(console_.output, HasSubstr("rule elsewhere never became eligible; rule rare never "
                                         "struck (eligible 5 times)"));
}

TEST_F(RunScenarios, SharesItsWorkAmongShards) {
  write("swept.yaml", kSwept);
  write("p.yaml", "squall: 1\nname: p\nrules: [ { id: slow, fault: latency, delay: 1ms } ]\n");
  std::uint64_t runs = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    EXPECT_EQ(run({"swept.yaml", "--seeds", "1..10", "--shard", shard, "--report", "json"}), 0);
    runs += document()
                .find("scenarios")
                ->items()[0]
                .find("sweep")
                ->find("runs")
                ->as_uint64()
                .value_or(0);
  }
  EXPECT_EQ(runs, 10U);
  EXPECT_EQ(run({"good.json", "bad.json", "--shard", "1/2"}), 0);
  EXPECT_EQ(run({"good.json", "bad.json", "--shard", "2/2"}), 2);
  EXPECT_EQ(run({"good.json", "bad.json", "--shard", "3/3"}), 0);
  EXPECT_THAT(console_.errors, HasSubstr("none falls to this one"));
}

TEST_F(RunScenarios, RefusesSeedsAndShardsThatAreNone) {
  for (const char* seeds : {"5", "5..", "5..4", "1..0x", "1...3", "0..100000000"}) {
    EXPECT_EQ(run({"good.json", "--seeds", seeds}), 1) << seeds;
    EXPECT_THAT(console_.errors, HasSubstr("seeds are A..B")) << seeds;
  }
  for (const char* shard : {"0/2", "3/2", "1", "1/", "/2", "1/99999"}) {
    EXPECT_EQ(run({"good.json", "--shard", shard}), 1) << shard;
    EXPECT_THAT(console_.errors, HasSubstr("a shard is I/N")) << shard;
  }
  EXPECT_EQ(run({"good.json", "--seeds", "1..2", "--seed", "1"}), 1);
  EXPECT_EQ(run({"good.json", "--seeds", "1..2"}), 1);
  EXPECT_THAT(console_.errors, HasSubstr("no scenario has faults"));
}

}  // namespace
}  // namespace squall::cli
