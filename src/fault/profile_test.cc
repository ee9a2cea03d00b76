#include "squall/fault/profile.h"

#include <gmock/gmock.h>

#include "squall/json/write.h"

namespace squall::fault {
namespace {

using testing::HasSubstr;

std::string mistakes(std::string text, const Surroundings& surroundings = {}) {
  const auto profile = read_profile("p.yaml", std::move(text), surroundings);
  return profile ? "" : profile.error().message;
}

Profile read(std::string text) {
  auto profile = read_profile("p.yaml", std::move(text));
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *profile : Profile();
}

constexpr std::string_view kFlaky = R"(
squall: 1
name: flaky
seed: 0x539
rules:
  - id: upstream-timeout
    fault: error
    message: "ETIMEDOUT"
    probability: 0.10
    when: { tool: "get_*" }
  - id: stale-row
    fault: corrupt
    probability: 1/8
    key: args
    when: { tool: get_account_balance, arguments: { /account_id: "ACC-10*" } }
  - id: slow
    fault: latency
    delay: { uniform: [1500ms, 6s] }
    probability: 15%
  - fault: lost
    attempts: [1]
    when: { tool: create_order }
)";

TEST(Profile, ReadsTheExampleOfItsFormat) {
  const Profile profile = read(std::string(kFlaky));
  EXPECT_EQ(profile.seed, Seed{1337});
  ASSERT_EQ(profile.rules.size(), 4U);
  EXPECT_EQ(profile.rules[0].probability.text(), "1/10");
  EXPECT_EQ(profile.rules[2].probability.text(), "3/20");
  EXPECT_EQ(profile.rules[3].id, "lost");
  EXPECT_EQ(profile.rules[3].triggers.attempts, std::vector<std::uint64_t>{1});
  EXPECT_EQ(json::to_string(profile.rules[2].settings),
            R"({"delay":{"uniform":["1500ms","6000ms"]}})");
}

TEST(Profile, MeansTheSameInJsonAndYamlAndAgainFromItsNormalForm) {
  const Profile yaml = read(std::string(kFlaky));
  const std::string normal = json::to_string(to_json(yaml));
  const Profile again = read(normal);
  EXPECT_EQ(hash_of(again), hash_of(yaml));
  EXPECT_EQ(json::to_string(to_json(again)), normal);
}

TEST(Profile, HashIgnoresTheOrderOfRulesAndSpellingsOnly) {
  const std::string head = "squall: 1\nname: p\nseed: 1\nrules:\n";
  const std::string a = "  - {fault: error, probability: 0.5, message: no}\n";
  const std::string b = "  - {fault: latency, delay: 1s}\n";
  const std::string c = "  - {fault: latency, delay: 1000ms}\n";
  const std::string d = "  - {fault: error, probability: 1/2, message: 'no'}\n";
  const std::string e = "  - {fault: error, probability: 1/2, message: never}\n";
  EXPECT_EQ(hash_of(read(head + a + b)), hash_of(read(head + c + d)));
  EXPECT_NE(hash_of(read(head + a + b)), hash_of(read(head + b + e)));
}

TEST(Profile, TellsEveryMistakeAtOnce) {
  const std::string all = mistakes(
      "squall: 1\nname: p\nseed: 1e3\nrules:\n"
      "  - {fault: errror}\n"
      "  - {fault: error, probability: '0,5'}\n"
      "  - {fault: lost, how: slience, probabilty: 1}\n"
      "  - {fault: truncate}\n"
      "  - {id: lost, fault: drop, rank: 2000}\n");
  EXPECT_THAT(all, HasSubstr("p.yaml:3:7: /seed: '1e3' is no seed: a seed has no exponent"));
  EXPECT_THAT(all, HasSubstr("did you mean error?"));
  EXPECT_THAT(all, HasSubstr("p.yaml:6:33: /rules/1/probability: '0,5' is no probability"));
  EXPECT_THAT(all, HasSubstr("did you mean silence?"));
  EXPECT_THAT(all, HasSubstr("did you mean \"probability\"?"));
  EXPECT_THAT(all, HasSubstr("\"keep\" is missing"));
  EXPECT_THAT(all, HasSubstr("another rule has the id lost"));
  EXPECT_THAT(all, HasSubstr("from -1000 to 1000"));
}

TEST(Profile, ReadsNumbersFromTheirTextBeforeAnyNumberType) {
  const auto seed = [](const std::string& text) {
    return mistakes("squall: 1\nname: p\nseed: " + text + "\nrules: []\n");
  };
  for (const char* good : {"1337", "0x10", "007", "9007199254740993", "\"0x10\""}) {
    EXPECT_EQ(seed(good), "") << good;
  }
  EXPECT_EQ(read("squall: 1\nname: p\nseed: 9007199254740993\nrules: []\n").seed->decimal(),
            "9007199254740993");
  for (const char* bad : {"12.9", "1e3", "+1", "0o17", "\"1 \"", "true", "[1]", "1337abc"}) {
    EXPECT_NE(seed(bad), "") << bad;
  }
  EXPECT_THAT(mistakes("squall: 1\nname: p\nseed: 1\nrules:\n  - {fault: error, probability: .5}"),
              HasSubstr("write 0 before the point"));
}

TEST(Profile, RefusesKindsWhereTheyHaveNoMeaning) {
  const std::string crash = "squall: 1\nname: p\nrules:\n  - {fault: crash, signal: kill}\n";
  const std::string ids = "squall: 1\nname: p\nrules:\n  - {fault: stream-ids, variant: gap}\n";
  EXPECT_EQ(mistakes(crash), "");
  EXPECT_EQ(mistakes(crash, {Transport::stdio, Era::legacy}), "");
  EXPECT_THAT(mistakes(crash, {Transport::http, Era::legacy}), HasSubstr("no meaning over HTTP"));
  EXPECT_THAT(mistakes(ids, {Transport::stdio, Era::legacy}), HasSubstr("no meaning on stdio"));
  EXPECT_THAT(mistakes(ids, {Transport::http, Era::modern}), HasSubstr("2026-07-28"));
}

TEST(Profile, TellsSettingsFromTriggersOfTheSameName) {
  const Profile profile = read(
      "squall: 1\nname: p\nrules:\n"
      "  - {id: a, fault: hang, until: cancelled}\n"
      "  - {id: b, fault: hang, until: 5s}\n"
      "  - {id: c, fault: hang, until: 20}\n"
      "  - {id: d, fault: crash, when: start}\n"
      "  - {id: e, fault: crash, when: {transport: stdio}}\n");
  EXPECT_EQ(profile.rules[0].settings.find_string("until"), "cancelled");
  EXPECT_EQ(profile.rules[1].settings.find_string("until"), "5000ms");
  EXPECT_EQ(profile.rules[2].triggers.until, 20U);
  EXPECT_EQ(profile.rules[3].settings.find_string("when"), "start");
  EXPECT_EQ(profile.rules[4].when.transport, Transport::stdio);
}

TEST(Profile, TakesWeightedChoicesAndDistributions) {
  const Profile profile = read(
      "squall: 1\nname: p\nseed: 1\nrules:\n"
      "  - {fault: stream-format, variant: [crlf, {cr: 3}]}\n"
      "  - {fault: latency, delay: {lognormal: {median: 300ms, sigma: 0.6, max: 8s}}}\n"
      "  - {fault: empty, style: null}\n");
  EXPECT_EQ(profile.rules[0].drawn.size(), 1U);
  EXPECT_TRUE(profile.rules[0].draws());
  EXPECT_EQ(std::get<Lognormal>(std::get<Distribution>(profile.rules[1].drawn[0].from)),
            (Lognormal{300, {6, 10}, 8000}));
  EXPECT_EQ(profile.rules[2].settings.find_string("style"), "null");
  for (const char* bad :
       {"{fault: latency, delay: {uniform: [6s, 1s]}}", "{fault: latency, delay: 5}",
        "{fault: latency, delay: {uniform: [0.5ms, 6s]}}", "{fault: latency, delay: {}}",
        "{fault: latency, delay: {pareto: {scale: 1s, alpha: 0, max: 2s}}}",
        "{fault: stream-format, variant: [{crlf: 0}]}", "{fault: stream-format, variant: []}",
        "{fault: error, only: [/a], ignore: [/b]}", "{fault: error, burst: {min: 3, max: 2}}",
        "{fault: error, key: window}", "{fault: error, budget: {}}",
        "{fault: error, calls: [0]}"}) {
    EXPECT_NE(mistakes("squall: 1\nname: p\nseed: 1\nrules:\n  - " + std::string(bad)), "") << bad;
  }
}

TEST(Profile, QuotesNothingUnderASecretKey) {
  EXPECT_EQ(mistakes("squall: 1\nname: p\ntoken: hunter22\nrules: []\n").find("hunter22"),
            std::string::npos);
}

TEST(ChooseSeed, TakesTheFirstSourceAndReportsConflicts) {
  const Profile profile = read(std::string(kFlaky));
  const std::vector<SeedSource> sources = {
      {"--seed", std::nullopt}, {"SQUALL_SEED", "0x10"}, {"the profile", "1337"}};
  const auto chosen = choose_seed(profile, sources);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->seed, Seed{16});
  EXPECT_EQ(chosen->from, "SQUALL_SEED");
  EXPECT_EQ(chosen->conflicts, "the profile says 1337");
  EXPECT_FALSE(choose_seed(profile, {}));
  EXPECT_FALSE(choose_seed(profile, std::vector<SeedSource>{{"--seed", "1"}, {"x", "1e3"}}));
  EXPECT_TRUE(choose_seed(read("squall: 1\nname: p\nrules: [{fault: lost}]"), {}));
}

TEST(Times, AreWrittenAsTheyAreRead) {
  EXPECT_EQ(time_text(std::chrono::nanoseconds(1'500'000)), "1.5ms");
  EXPECT_EQ(time_text(std::chrono::nanoseconds(1)), "0.000001ms");
  EXPECT_EQ(time_text(std::chrono::seconds(6)), "6000ms");
}

}  // namespace
}  // namespace squall::fault
