#include "squall/fault/decide.h"

#include <gmock/gmock.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::fault {
namespace {

using testing::ElementsAre;

Profile read(const std::string& rules) {
  auto profile = read_profile("p.yaml", "squall: 1\nname: p\nseed: 1\nrules:\n" + rules);
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *profile : Profile();
}

json::Value parse(std::string_view text) { return json::parse(text).value_or(json::Value()); }

Arrival call(std::string_view tool, const json::Value* arguments = nullptr) {
  Arrival out;
  out.tool = tool;
  out.arguments = arguments;
  return out;
}

std::vector<std::string> struck(const Decision& decision) {
  std::vector<std::string> out;
  for (const Strike& strike : decision.strikes) out.push_back(strike.rule->id);
  return out;
}

TEST(Decider, StacksLayersAndLetsOneWinPerLayer) {
  const Profile profile = read(
      "  - {id: late, fault: latency, delay: 1s}\n"
      "  - {id: wrong, fault: error, rank: 1}\n"
      "  - {id: none, fault: empty}\n");
  Decider decider(profile, {1});
  const Decision decision = decider.decide(call("t"));
  EXPECT_THAT(struck(decision), ElementsAre("wrong", "late"));
  EXPECT_EQ(decision.considered[2].outcome, Outcome::shadowed);
  EXPECT_EQ(decision.considered[2].winner->id, "wrong");
}

TEST(Decider, LetsExclusiveGroupsCompeteAcrossLayers) {
  const Profile profile = read(
      "  - {id: late, fault: latency, delay: 1s, exclusive: g, rank: 2}\n"
      "  - {id: wrong, fault: error, exclusive: g, rank: 1}\n");
  EXPECT_THAT(struck(Decider(profile, {1}).decide(call("t"))), ElementsAre("late"));
}

TEST(Decider, MatchesBeforeItDraws) {
  const json::Value rich = parse(R"({"account_id":"ACC-1001","n":1.50})");
  const json::Value poor = parse(R"({"account_id":"ACC-2001"})");
  const Profile profile = read(
      "  - {id: a, fault: error, probability: 1/2, when: {tool: 'get_*', arguments: "
      "{/account_id: 'ACC-10*'}}}\n"
      "  - {id: b, fault: latency, delay: 1s, when: {arguments: {/n: '1.5'}}}\n");
  const Decider decider(profile, {1});
  const Decision met = decider.decide_at(call("get_x", &rich), {});
  EXPECT_TRUE(met.considered[0].bits);
  EXPECT_EQ(met.considered[1].outcome, Outcome::won);
  const Decision other = decider.decide_at(call("get_x", &poor), {});
  EXPECT_EQ(other.considered[0].outcome, Outcome::unmatched);
  EXPECT_FALSE(other.considered[0].bits);
  EXPECT_EQ(decider.decide_at(call("search", &rich), {}).considered[0].outcome, Outcome::unmatched);
}

TEST(Decider, ExcludesWhatAGlobWithAnExclamationMarkNames) {
  const Profile profile = read("  - {fault: error, when: {tool: ['!get_*', '!ping']}}\n");
  const Decider decider(profile, {1});
  EXPECT_THAT(struck(decider.decide_at(call("search"), {})), ElementsAre("error"));
  EXPECT_THAT(struck(decider.decide_at(call("get_x"), {})), ElementsAre());
  EXPECT_THAT(struck(decider.decide_at(call("ping"), {})), ElementsAre());
}

TEST(Decider, TriggersOnNumbersOfCallsAndAttempts) {
  const Profile profile = read(
      "  - {id: third, fault: error, every: 3, after: 3, until: 9}\n"
      "  - {id: first, fault: lost, attempts: [1]}\n");
  Decider decider(profile, {1});
  std::string seen;
  for (int n = 1; n <= 12; ++n) {
    const Decision decision = decider.decide(call("t"));
    for (const std::string& id : struck(decision)) seen += std::to_string(n) + id + " ";
  }
  EXPECT_EQ(seen, "1first 6third 9third ");
}

TEST(Decider, SpendsBudgetsOnWinsAlone) {
  const Profile profile = read(
      "  - {id: a, fault: error, rank: 1, budget: {strikes: 2}}\n"
      "  - {id: b, fault: empty, budget: {concurrent: 1}}\n");
  Decider decider(profile, {1});
  EXPECT_THAT(struck(decider.decide(call("t"))), ElementsAre("a"));
  EXPECT_THAT(struck(decider.decide(call("t"))), ElementsAre("a"));
  const Decision third = decider.decide(call("t"));
  EXPECT_EQ(third.considered[0].outcome, Outcome::exhausted);
  EXPECT_THAT(struck(third), ElementsAre("b"));
  EXPECT_THAT(struck(decider.decide(call("t"))), ElementsAre());
  decider.finished(*profile.find("b"));
  EXPECT_THAT(struck(decider.decide(call("t"))), ElementsAre("b"));
}

TEST(Decider, CountsInTheScopeOfTheRule) {
  const Profile profile = read(
      "  - {id: run, fault: error, calls: [2]}\n"
      "  - {id: session, fault: latency, delay: 1s, calls: [2], scope: session}\n");
  Decider decider(profile, {1});
  const auto in = [&decider](std::string_view session) {
    Arrival arrival = call("t");
    arrival.session = session;
    return struck(decider.decide(arrival));
  };
  EXPECT_THAT(in("s1"), ElementsAre());
  EXPECT_THAT(in("s2"), ElementsAre("run"));
  EXPECT_THAT(in("s1"), ElementsAre("session"));
  EXPECT_THAT(in("s2"), ElementsAre("session"));
}

TEST(Decider, LeavesOtherMethodsAloneUnlessTheRuleNamesThem) {
  const json::Value params = parse(R"({"uri":"file:///a","_meta":{"progressToken":1}})");
  const Profile profile = read(
      "  - {id: calls, fault: latency, delay: 1s}\n"
      "  - {id: reads, fault: rpc-error, code: -32603, when: {method: 'resources/*'}}\n"
      "  - {id: all, fault: unauthorized}\n");
  const Decision decision = Decider(profile, {1}).decide(Arrival::of("resources/read", &params));
  EXPECT_THAT(struck(decision), ElementsAre("all", "reads"));
  EXPECT_EQ(decision.strikes[0].site, R"(["method","resources/read",1])");
  EXPECT_EQ(decision.strikes[1].site, R"(["params","resources/read",{"uri":"file:///a"},1])");
}

TEST(Decider, WritesTheSitesOfEveryKey) {
  const auto site = [](const std::string& rule, const Arrival& arrival) {
    const Profile profile = read("  - " + rule + "\n");
    const Decision decision = Decider(profile, {1}).decide(arrival);
    return decision.strikes.empty() ? "" : decision.strikes[0].site;
  };
  Arrival spawn;
  spawn.what = Arrival::What::spawn;
  EXPECT_EQ(site("{fault: crash, signal: kill}", spawn), R"(["spawn",1])");
  Arrival entry;
  entry.what = Arrival::What::entry;
  entry.method = "tools/list";
  entry.entry = "search";
  EXPECT_EQ(site("{fault: hide-tool}", entry), R"(["catalogue","tools/list","search"])");
  Arrival notification;
  notification.what = Arrival::What::server_message;
  notification.method = "notifications/message";
  EXPECT_EQ(site("{fault: notifications, variant: drop}", notification),
            R"(["server-method","notifications/message",1])");
  EXPECT_EQ(site("{fault: error, key: record}", call("t")), R"(["record","t",{}])");
  EXPECT_EQ(site("{fault: error, window: {length: 5}}", call("t")), R"(["args","t",{},1])");
  EXPECT_EQ(site("{fault: crash, signal: kill}", call("t")), "");
}

TEST(Decider, DrawsParametersAndTellsThemResolved) {
  const Profile profile = read(
      "  - {id: slow, fault: latency, key: call, "
      "delay: {uniform: [1500ms, 6s]}}\n");
  const Decision decision = Decider(profile, {1337}).decide_at(call("search"), {.ordinal = 3});
  EXPECT_EQ(json::to_string(decision.strikes[0].parameters), R"({"delay":"5932ms"})");
  EXPECT_THAT(json::to_string(to_json(decision)), testing::HasSubstr("5932ms"));
}

TEST(Decider, RecordsWhatHasNoCanonicalFormAndLeavesItAlone) {
  const json::Value twice =
      json::parse(R"({"a":1,"a":2})", {.duplicates = json::Duplicates::keep}).value();
  const Profile profile = read(
      "  - {id: keyed, fault: error}\n"
      "  - {id: counted, fault: latency, key: call, delay: 1s}\n");
  const Decision decision = Decider(profile, {1}).decide(call("t", &twice));
  EXPECT_EQ(decision.considered[0].outcome, Outcome::unkeyable);
  EXPECT_EQ(decision.considered[0].why, "an object has one name twice");
  EXPECT_THAT(struck(decision), ElementsAre("counted"));
}

TEST(Decider, AsksOneCoinPerRunForArming) {
  const Profile profile = read("  - {id: r, fault: error, arm: 1/2}\n");
  int armed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Decider decider(profile, {seed});
    const bool first = !decider.decide_at(call("a"), {}).strikes.empty();
    EXPECT_EQ(first, !decider.decide_at(call("b"), {.ordinal = 7}).strikes.empty());
    armed += first ? 1 : 0;
  }
  EXPECT_NEAR(armed, 200, 50);
}

TEST(Decider, KeepsCountersOnlyForWhatARuleCounts) {
  const Profile counted = read("  - {fault: error, key: args}\n");
  const Profile uncounted = read("  - {fault: error, key: record}\n");
  Decider many(counted, {1});
  Decider none(uncounted, {1});
  for (int n = 0; n < 100; ++n) {
    const json::Value arguments = json::Value::object({{"n", n}});
    static_cast<void>(many.decide(call("t", &arguments)));
    static_cast<void>(none.decide(call("t", &arguments)));
  }
  EXPECT_EQ(many.counters(), 100U);
  EXPECT_EQ(none.counters(), 0U);
}

TEST(Glob, KnowsStarsQuestionMarksAndClasses) {
  EXPECT_TRUE(matches_glob("get_*", "get_account"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("a?c", "a\u00fcc"));
  EXPECT_TRUE(matches_glob("ACC-[0-9][!5]", "ACC-14"));
  EXPECT_TRUE(matches_glob("*a*b*c", "xxaxxbxxabc"));
  EXPECT_TRUE(matches_glob("[", "["));
  EXPECT_TRUE(matches_glob("[]]", "]"));
  EXPECT_FALSE(matches_glob("get_*", "set_account"));
  EXPECT_FALSE(matches_glob("a?c", "ac"));
  EXPECT_FALSE(matches_glob("ACC-[!5]", "ACC-5"));
  EXPECT_FALSE(matches_glob("", "a"));
  EXPECT_FALSE(matches_glob("*a*b*c", "xxaxxbxxabd"));
}

}  // namespace
}  // namespace squall::fault
