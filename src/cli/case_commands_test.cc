#include "case_commands.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "squall/json/parse.h"

#include "../cases/test_run.h"
#include "captured_console.h"
#include "plan.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A folder with a recorded run in it.
class CaseCommands : public testing::Test {
 protected:
  CaseCommands() {
    std::string name = testing::TempDir() + "squall-cases-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
    cases::TestRun run(cases::kManyRules);
    cases::play_forty(run);
    record = run.write(folder);
  }
  ~CaseCommands() override { std::filesystem::remove_all(folder); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  /// A case of the calls below under these rules.
  [[nodiscard]] std::string play(const std::string& profile) const {
    cases::TestRun run(profile);
    cases::play_forty(run);
    return run.write(folder);
  }

  std::string folder;
  std::string record;
  CapturedConsole console;
};

TEST_F(CaseCommands, VerifySaysSameDifferentOrNeither) {
  EXPECT_EQ(verify({record, false}, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("41 decisions, "));
  EXPECT_THAT(console.output, HasSubstr(": the same here\nrun hash "));

  cases::TestRun other(cases::kManyRules);
  cases::play_forty(other);
  other.header.seed = 8;
  CapturedConsole differs;
  EXPECT_EQ(verify({other.write(folder), false}, differs), Exit::failed);
  EXPECT_THAT(differs.output, HasSubstr(" differences\n"));
  EXPECT_THAT(differs.output, HasSubstr("and the draw is 0x"));

  cases::TestRun gone(cases::kManyRules);
  cases::play_forty(gone);
  gone.events.erase(gone.events.begin() + 1);
  CapturedConsole partly;
  EXPECT_EQ(verify({gone.write(folder), true}, partly), Exit::could_not);
  EXPECT_EQ(json::parse(partly.output)->find_string("outcome"), "could_not");

  CapturedConsole none;
  EXPECT_EQ(verify({folder + "/no.case", true}, none), Exit::could_not);
  EXPECT_TRUE(json::parse(none.output)->contains("error"));
}

TEST_F(CaseCommands, VerifyTellsOfACaseThatWasCutOff) {
  std::filesystem::resize_file(record + "/events.jsonl",
                               std::filesystem::file_size(record + "/events.jsonl") / 2);
  EXPECT_EQ(verify({record, false}, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("the case isn't complete: its last line was cut off"));
}

TEST_F(CaseCommands, RefuseWhatIsNoCaseOfOurs) {
  for (const char* line : {"{\"seq\":1,\"event\":\"dance\"}\n", "[[[[\n", "{\"seq\":2}\n"}) {
    std::ofstream(record + "/events.jsonl") << line;
    CapturedConsole said;
    EXPECT_EQ(verify({record, false}, said), Exit::could_not) << line;
    EXPECT_EQ(explain({record, "", false}, said), Exit::could_not);
    EXPECT_EQ(pin({record, false}, said), Exit::could_not);
    EXPECT_EQ(diff({record, record, "", "", false}, said), Exit::could_not);
    EXPECT_THAT(said.errors, HasSubstr("events.jsonl:1: "));
    EXPECT_EQ(said.output, "");
  }
}

TEST_F(CaseCommands, ExplainListsWhatStruckAndTellsOfOne) {
  EXPECT_EQ(explain({record, "", false}, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("tools/call read_file  [\"args\",\"read_file\",{"));
  EXPECT_THAT(console.output, HasSubstr("tells of the first, rule by rule"));
  const std::string seq = console.output.substr(0, console.output.find(' '));
  CapturedConsole one;
  EXPECT_EQ(explain({record, seq, false}, one), Exit::passed);
  EXPECT_THAT(one.output, HasSubstr("\nrules\n  "));
  EXPECT_THAT(one.output, HasSubstr(", strikes below 1/3"));
  EXPECT_THAT(one.output, HasSubstr("executed    yes\nclean       {"));
  EXPECT_THAT(one.output, HasSubstr("delivered   "));
  CapturedConsole none;
  EXPECT_EQ(explain({record, "999999", true}, none), Exit::could_not);
  EXPECT_THAT(none.errors, HasSubstr("the case has events 1 to"));
}

TEST_F(CaseCommands, ExplainObeysNoTerminalSequencesOfACase) {
  cases::TestRun run("squall: 1\nname: p\nrules: [{fault: lost}]\n");
  run.call("evil\x1b[2J\x07\n", json::Value::object({{"a", "\x1b]0;x\x07"}}), "\x1b[31m");
  const std::string hostile = run.write(folder);
  for (const char* where : {"", "2"}) {
    CapturedConsole said;
    EXPECT_EQ(explain({hostile, where, false}, said), Exit::passed);
    EXPECT_THAT(said.output, Not(HasSubstr("\x1b")));
    EXPECT_THAT(said.output, Not(HasSubstr("\x07")));
  }
}

TEST_F(CaseCommands, PinPrintsAScheduleThatPlansTheSameStrikes) {
  EXPECT_EQ(pin({record, false}, console), Exit::passed);
  const std::string schedule = write("s.yaml", console.output);
  EXPECT_THAT(console.output, testing::StartsWith("# the strikes of case "));
  CapturedConsole planned;
  EXPECT_EQ(plan({.profile = schedule, .seed = "", .sites = record}, planned), Exit::passed);
  CapturedConsole compared;
  EXPECT_EQ(diff({schedule, record, "", "", false}, compared), Exit::passed) << compared.output;
  EXPECT_THAT(compared.output, HasSubstr("same        41\n"));
  EXPECT_EQ(diff({schedule, schedule, "", "", false}, compared), Exit::passed);
}

TEST_F(CaseCommands, DiffTellsDecisionsPayloadsAndAnswersApart) {
  std::string edited = cases::kManyRules;
  edited += "  - {id: top, fault: error, rank: 9, probability: 1/9}\n";
  const std::string profile = write("edited.yaml", edited);
  EXPECT_EQ(diff({record, profile, "", "", false}, console), Exit::failed);
  EXPECT_THAT(console.output, HasSubstr("other rules strike"));
  EXPECT_THAT(console.output, HasSubstr("  + "));
  EXPECT_THAT(console.output, HasSubstr("left run hash  "));
  EXPECT_THAT(console.output, Not(HasSubstr("right run hash")));

  const std::string before = write("before.yaml", cases::kManyRules);
  CapturedConsole needs;
  EXPECT_EQ(diff({before, profile, "", "", false}, needs), Exit::could_not);
  EXPECT_THAT(needs.errors, HasSubstr("give --sites"));
  CapturedConsole by_case;
  EXPECT_EQ(diff({before, profile, record, "", true}, by_case), Exit::failed);
  const auto found = json::parse(by_case.output).value();
  EXPECT_GT(found.find("decision")->as_uint64(), 0U);
  EXPECT_EQ(found.find("payload")->as_uint64(), 0U);

  const std::string calls = write("calls.jsonl", "{\"tool\":\"a\"}\n\n{\"tool\":\"b\"}\n");
  CapturedConsole by_file;
  EXPECT_EQ(diff({before, before, calls, "", false}, by_file), Exit::passed);
  EXPECT_THAT(by_file.output, HasSubstr("same        2\n"));
  CapturedConsole same;
  EXPECT_EQ(diff({record, play(cases::kManyRules), "", "", false}, same), Exit::passed);
}

TEST_F(CaseCommands, DiffNeedsASeedWhereAProfileDraws) {
  std::string seedless = cases::kManyRules;
  seedless.erase(seedless.find("seed: 7\n"), 8);
  const std::string profile = write("seedless.yaml", seedless);
  EXPECT_EQ(diff({record, profile, "", "", false}, console), Exit::passed) << console.errors;
  CapturedConsole alone;
  EXPECT_EQ(diff({profile, profile, record, "", false}, alone), Exit::could_not);
  EXPECT_THAT(alone.errors, HasSubstr("--seed"));
  EXPECT_EQ(diff({profile, profile, record, "7", false}, alone), Exit::passed);
}

TEST_F(CaseCommands, TakeTheirWords) {
  for (const char* name : {"verify", "explain", "pin", "diff"}) {
    CapturedConsole said;
    EXPECT_EQ(run(std::vector<const char*>{name}, said), Exit::could_not);
    EXPECT_THAT(said.errors, HasSubstr(std::string(name) + " needs"));
  }
  EXPECT_EQ(run(std::vector<const char*>{"verify", record.c_str(), "--json"}, console),
            Exit::passed);
  EXPECT_EQ(run(std::vector<const char*>{"explain", record.c_str(), "3"}, console), Exit::passed);
  EXPECT_EQ(run(std::vector<const char*>{"pin", record.c_str()}, console), Exit::passed);
  EXPECT_EQ(run(std::vector<const char*>{"diff", record.c_str(), record.c_str()}, console),
            Exit::passed);
}

}  // namespace
}  // namespace squall::cli
