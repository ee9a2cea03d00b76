// The commands about faults that run nothing: faults, profile, plan.
#include "faults.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "squall/json/parse.h"

#include "captured_console.h"
#include "plan.h"
#include "profile.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;

std::string on_disk(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "squall_" + std::to_string(::getpid()) + "_" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Faults, ListsEveryKindByLayer) {
  CapturedConsole console;
  EXPECT_EQ(faults({}, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("\nmessage\n"));
  EXPECT_THAT(console.output, HasSubstr("  lost              Executed, the response"));
  CapturedConsole as_json;
  EXPECT_EQ(faults({.kind = "", .json = true}, as_json), Exit::passed);
  EXPECT_EQ(json::parse(as_json.output)->find("kinds")->size(), 80U);
}

TEST(Faults, ExplainsOneOrNamesTheNearest) {
  CapturedConsole console;
  EXPECT_EQ(faults({.kind = "truncate"}, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("bytes or code-points or blocks"));
  EXPECT_THAT(console.output, HasSubstr("(needed)"));
  EXPECT_THAT(console.output, HasSubstr("- {fault: truncate, keep: 24"));
  CapturedConsole other;
  EXPECT_EQ(faults({.kind = "truncat"}, other), Exit::could_not);
  EXPECT_THAT(other.errors, HasSubstr("did you mean truncate?"));
}

TEST(ProfileCommand, ListsShowsAndChecks) {
  CapturedConsole console;
  EXPECT_EQ(profile({"list", "", false}, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("chaos"));
  CapturedConsole shown;
  EXPECT_EQ(profile({.action = "show", .profile = "chaos"}, shown), Exit::passed);
  EXPECT_THAT(shown.output, HasSubstr("squall: 1\nname: chaos\n"));
  CapturedConsole checked;
  EXPECT_EQ(profile({.action = "check", .profile = "flaky"}, checked), Exit::passed);
  EXPECT_THAT(checked.output, HasSubstr("seed 20260816"));
  // 0.15 of what the error leaves, 0.9.
  EXPECT_THAT(checked.output, HasSubstr("13.50 %  latency at 3/20"));
  CapturedConsole unknown;
  EXPECT_EQ(profile({.action = "show", .profile = "chaso"}, unknown), Exit::could_not);
  EXPECT_THAT(unknown.errors, HasSubstr("did you mean chaos?"));
}

TEST(ProfileCommand, RefusesAFileWithEveryMistake) {
  const std::string path =
      on_disk("bad.yaml", "squall: 1\nname: p\nseed: 1e3\nrules: [{fault: errr}]\n");
  CapturedConsole console;
  EXPECT_EQ(profile({.action = "check", .profile = path}, console), Exit::could_not);
  EXPECT_THAT(console.errors, HasSubstr(":3:7: /seed: "));
  EXPECT_THAT(console.errors, HasSubstr(":4:"));
  std::filesystem::remove(path);
}

TEST(ProfileCommand, ImportsAndFormats) {
  const std::string path =
      on_disk("theirs.json", R"({"name":"t","seed":7,"defaults":[{"kind":"latency","ms":5}]})");
  CapturedConsole console;
  EXPECT_EQ(profile({.action = "import", .profile = path}, console), Exit::passed);
  const std::string ours = on_disk("ours.json", console.output);
  CapturedConsole formatted;
  EXPECT_EQ(profile({.action = "fmt", .profile = ours}, formatted), Exit::passed);
  EXPECT_EQ(formatted.output, console.output);
  std::filesystem::remove(path);
  std::filesystem::remove(ours);
}

TEST(Plan, TellsWhatWouldStrike) {
  const std::string sites = on_disk(
      "sites.jsonl", "{\"tool\":\"search\",\"arguments\":{\"query\":\"x\"}}\n\n{\"tool\":\"a\"}\n");
  CapturedConsole console;
  const PlanCommand command{.profile = "slow", .seed = "0x10", .sites = sites};
  EXPECT_EQ(plan(command, console), Exit::passed);
  EXPECT_THAT(console.output, HasSubstr("1 search  latency {\"delay\":\""));
  EXPECT_THAT(console.output, HasSubstr("2 a  latency"));
  CapturedConsole as_json;
  EXPECT_EQ(plan({"slow", "", sites, true}, as_json), Exit::passed);
  EXPECT_EQ(json::parse(as_json.output)->find("decisions")->size(), 2U);
  CapturedConsole wrong;
  EXPECT_EQ(plan({"slow", "1e3", sites, false}, wrong), Exit::could_not);
  EXPECT_THAT(wrong.errors, HasSubstr("a seed has no exponent"));
  std::filesystem::remove(sites);
}

}  // namespace
}  // namespace squall::cli
