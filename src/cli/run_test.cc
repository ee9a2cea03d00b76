#include "run.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "captured_console.h"

namespace squall::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
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
  EXPECT_EQ(console_.errors, "squall: Failed to run scenario: missing.json: No such file or "
                             "directory\n");
  EXPECT_THAT(console_.output, IsEmpty());
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
  EXPECT_EQ(run({"*.json", "--report", "junit=out.xml", "--report", "html=out.html", "--report",
                 "json"}),
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

}  // namespace
}  // namespace squall::cli
