#include "squall/fault/builtin.h"

#include <set>

#include <gmock/gmock.h>

#include "squall/json/write.h"

namespace squall::fault {
namespace {

using testing::HasSubstr;

TEST(BuiltinProfiles, AreAllWellFormedAndNamedAfterTheirFiles) {
  EXPECT_EQ(builtin_profiles().size(), 18U);
  for (const BuiltinProfile& builtin : builtin_profiles()) {
    const auto profile = read_profile(std::string(builtin.name), std::string(builtin.text));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->name, builtin.name);
    EXPECT_TRUE(profile->seed || !profile->draws()) << builtin.name;
    EXPECT_FALSE(profile->note.empty()) << builtin.name;
  }
}

TEST(BuiltinProfiles, HaveOneForEachLayer) {
  for (const char* layer : {"process", "connection", "session", "auth", "http", "stream",
                            "catalogue", "tool", "message"}) {
    const auto* builtin = find_builtin_profile("layer-" + std::string(layer));
    ASSERT_NE(builtin, nullptr) << layer;
    const auto profile = read_profile("p", std::string(builtin->text));
    for (const Rule& rule : profile->rules) EXPECT_EQ(name_of(rule.kind->layer), layer);
  }
  EXPECT_EQ(find_builtin_profile("chaos2"), nullptr);
}

TEST(ImportFaultMcp, KeepsKindsRatesAndExclusivity) {
  const auto profile = import_fault_mcp("theirs.yaml", R"(
name: flaky
seed: 20260816
forced: [{kind: error, onCalls: [2]}]
tools:
  search: {faults: [{kind: truncate, keep: 120, probability: 0.5}], inheritDefaults: false}
defaults:
  - {kind: error, probability: .1, message: "ETIMEDOUT"}
  - {kind: latency, minMs: 1500, maxMs: 6000, probability: 0.15}
  - {kind: corrupt, strategy: plausible, probability: 0.125}
)");
  // `.5`-like spellings are refused here as everywhere.
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("/defaults/0/probability"));
  const auto good = import_fault_mcp("theirs.json", R"({"name":"flaky","seed":20260816,
"forced":[{"kind":"error","onCalls":[2]}],
"tools":{"search":{"faults":[{"kind":"truncate","keep":120,"probability":0.5}],
                   "inheritDefaults":false}},
"defaults":[{"kind":"error","probability":0.1,"message":"ETIMEDOUT"},
            {"kind":"latency","minMs":1500,"maxMs":6000,"probability":0.15},
            {"kind":"corrupt","strategy":"plausible","probability":0.125}]})");
  ASSERT_TRUE(good) << good.error().message;
  ASSERT_EQ(good->rules.size(), 5U);
  EXPECT_EQ(good->seed, Seed{20260816});
  std::set<std::string> groups;
  for (const Rule& rule : good->rules) groups.insert(rule.exclusive);
  EXPECT_EQ(groups, std::set<std::string>{"outcome"});
  EXPECT_EQ(good->rules[0].triggers.calls, std::vector<std::uint64_t>{2});
  EXPECT_EQ(good->rules[1].when.tools, std::vector<std::string>{"search"});
  EXPECT_EQ(good->rules[2].when.tools, std::vector<std::string>{"!search"});
  EXPECT_EQ(good->rules[2].id, "error-2");
  EXPECT_EQ(good->rules[3].probability.text(), "3/20");
  EXPECT_GT(good->rules[3].rank, good->rules[4].rank);
  EXPECT_EQ(json::to_string(good->rules[3].settings),
            R"({"delay":{"uniform":["1500ms","6000ms"]}})");
}

TEST(ImportFaultMcp, TellsWhatHasNoCounterpart) {
  const auto profile = import_fault_mcp(
      "t.json", R"({"defaults":[{"kind":"error","delayMs":5},{"kind":"explode"}],"x":1})");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("/defaults/0/delayMs: has no counterpart"));
  EXPECT_THAT(profile.error().message, HasSubstr("/defaults/1/kind: expected error, empty"));
  EXPECT_THAT(profile.error().message, HasSubstr("/x: unknown key"));
}

}  // namespace
}  // namespace squall::fault
