#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "captured_console.h"
#include "case_commands.h"

namespace squall::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A recorded run that fails where two of its six strikes meet.
class AgainAndLess : public testing::Test {
 protected:
  AgainAndLess() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "squall-again-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::current_path(folder_);
    write("p.yaml",
          "squall: 1\nname: p\nrules:\n"
          "  - { id: slow, fault: latency, delay: { uniform: [40ms, 60ms] }, probability: 9/10,\n"
          "      when: { tool: ping } }\n"
          "  - { id: broken, fault: error, message: no, calls: [3], when: { tool: ping } }\n");
    write("s.yaml",
          "squall: 1\nname: s\nfaults: { profile: p.yaml, seed: 5 }\n"
          "steps:\n"
          "  - repeat: { times: 6, steps: [ { call: { tool: ping } } ] }\n");
    EXPECT_EQ(run({"run", "s.yaml", "--quiet"}), 2);
    for (const auto& entry : fs::directory_iterator("squall-cases")) {
      if (entry.path().extension() == ".case") record_ = entry.path().string();
    }
  }
  ~AgainAndLess() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  static void write(const std::string& name, const std::string& text) {
    std::ofstream(name) << text;
  }
  int run(std::vector<const char*> words) {
    console_.output.clear();
    console_.errors.clear();
    return static_cast<int>(cli::run(words, console_));
  }

  CapturedConsole console_;
  std::string record_;

 private:
  fs::path before_;
  fs::path folder_;
};

TEST_F(AgainAndLess, ReplaysInEveryMode) {
  for (const char* mode : {"decide", "pinned", "sealed"}) {
    EXPECT_EQ(run({"replay", record_.c_str(), "--mode", mode}), 0) << console_.output;
    EXPECT_THAT(console_.output, HasSubstr(std::string(mode) + ": 7 messages of the client"));
    EXPECT_THAT(console_.output, HasSubstr(": the same\nverdict   failed\nrun hash  "));
  }
  EXPECT_EQ(run({"replay", record_.c_str(), "--mode", "sealed", "--json"}), 0);
  const auto document = json::parse(console_.output).value();
  EXPECT_TRUE(document.find("same")->boolean());
  EXPECT_TRUE(document.find("divergence")->is_null());
}

TEST_F(AgainAndLess, NamesTheFirstDivergence) {
  // Another server: one whose tool isn't there.
  write("t.yaml", "squall: 1\ntarget: { transport: stdio, command: /no/such/server }\n");
  EXPECT_EQ(run({"replay", record_.c_str(), "--target", "t.yaml"}), 1);
  std::string text;
  {
    std::ifstream file(record_ + "/events.jsonl");
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::size_t at = text.find("\\\"text\\\":\\\"");
  ASSERT_NE(at, std::string::npos) << text;
  text.insert(at + 11, "x");
  write(record_ + "/events.jsonl", text);
  EXPECT_EQ(run({"replay", record_.c_str()}), 2);
  EXPECT_THAT(console_.output, HasSubstr("first divergence: upstream, at event "));
  EXPECT_THAT(console_.output, HasSubstr("the server's answer to tools/call ping\n  recorded  {"));
  EXPECT_EQ(run({"replay", record_.c_str(), "--json"}), 2);
  EXPECT_EQ(json::parse(console_.output)->find("divergence")->find_string("cause"), "upstream");
}

TEST_F(AgainAndLess, ShrinksTheCasesOwnScenario) {
  EXPECT_EQ(run({"shrink", record_.c_str()}), 0) << console_.errors;
  EXPECT_THAT(console_.errors, HasSubstr("1 of "));
  EXPECT_THAT(console_.errors, HasSubstr("; fails 1 of 1 times: step "));
  EXPECT_THAT(console_.output, HasSubstr("\"fault\":\"error\""));
  EXPECT_THAT(console_.output, Not(HasSubstr("latency")));
  write("least.yaml", console_.output);
  EXPECT_EQ(run({"run", "s.yaml", "--profile", "least.yaml"}), 2);
}

TEST_F(AgainAndLess, ShrinksForACommand) {
  // Fails while both kinds strike: what the program under test may be like.
  write("command.sh",
        "test -f \"$1\" && test \"$1\" = \"$SQUALL_PROFILE\" || exit 9\n"
        "grep -q latency \"$1\" && grep -q '\"error\"' \"$1\" && exit 4\nexit 0\n");
  EXPECT_EQ(run({"shrink", record_.c_str(), "--json", "--", "/bin/sh", "command.sh", "{schedule}"}),
            0)
      << console_.errors;
  const auto found = json::parse(console_.output).value();
  EXPECT_EQ(found.find("after")->as_uint64(), 2U);
  EXPECT_GT(found.find("before")->as_uint64(), 3U);
  EXPECT_EQ(found.find_string("failure"), "exit code 4");
  EXPECT_THAT(console_.output, HasSubstr("\"delay\": \"0ms\""));
}

TEST_F(AgainAndLess, TakesAnotherExitCodeForAnotherFailure) {
  write("command.sh",
        "grep -q latency \"$1\" || exit 1\ngrep -q '\"error\"' \"$1\" && exit 4\nexit 0\n");
  EXPECT_EQ(run({"shrink", record_.c_str(), "--json", "--", "/bin/sh", "command.sh", "{schedule}"}),
            0);
  EXPECT_EQ(json::parse(console_.output)->find("after")->as_uint64(), 2U);
}

TEST_F(AgainAndLess, SaysThatItDidNotFailAgainOrCouldNotBeTried) {
  EXPECT_EQ(run({"shrink", record_.c_str(), "--repeat", "3", "--", "/bin/true"}), 3);
  EXPECT_THAT(console_.errors, HasSubstr("it did not fail again"));
  EXPECT_THAT(console_.output, testing::IsEmpty());
  EXPECT_EQ(run({"shrink", record_.c_str(), "--", "/no/such/program"}), 1);
  EXPECT_EQ(run({"shrink", "nowhere.case", "--", "/bin/true"}), 1);
  EXPECT_EQ(run({"shrink"}), 1);
  EXPECT_EQ(run({"replay"}), 1);
  EXPECT_THAT(console_.errors, HasSubstr("replay needs the folder of a case"));
}

TEST_F(AgainAndLess, StatesHowOftenAFlakyCommandFails) {
  // Fails at every second run.
  write("command.sh",
        "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count\n"
        "grep -q '\"error\"' \"$1\" || exit 0\nexit $((n % 2))\n");
  EXPECT_EQ(run({"shrink", record_.c_str(), "--repeat", "4", "--", "/bin/sh", "command.sh",
                 "{schedule}"}),
            0);
  EXPECT_THAT(console_.errors, HasSubstr("fails 2 of 4 times: exit code 1"));
  EXPECT_THAT(console_.errors, HasSubstr("1 of "));
}

}  // namespace
}  // namespace squall::cli
