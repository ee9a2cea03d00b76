#include "squall/fault/schedule.h"

#include <gmock/gmock.h>

#include "squall/json/write.h"

namespace squall::fault {
namespace {

using testing::HasSubstr;

/// What strikes at sixty calls, each as text, and all strikes.
std::vector<std::string> play(const Profile& profile, std::vector<Strike>& all) {
  Decider decider(profile, *profile.seed);
  std::vector<std::string> out;
  for (int n = 0; n < 60; ++n) {
    const json::Value arguments = json::Value::object({{"id", n % 7}, {"cursor", n}});
    Arrival arrival;
    arrival.tool = n % 2 == 0 ? "search" : "read_file";
    arrival.arguments = &arguments;
    std::string text;
    for (Strike& strike : decider.decide(arrival).strikes) {
      text += strike.rule->draw_key + json::to_string(strike.parameters) + strike.site;
      all.push_back(std::move(strike));
    }
    out.push_back(std::move(text));
  }
  return out;
}

TEST(Schedule, RepeatsARunWithoutChance) {
  const auto profile =
      read_profile("p.yaml",
                   "squall: 1\nname: p\nseed: 7\nrules:\n"
                   "  - {id: slow, fault: latency, delay: {uniform: [1s, 5s]}, probability: 1/3}\n"
                   "  - {id: wrong, fault: corrupt, only: [/id], probability: 1/4}\n"
                   "  - {id: out, fault: error, burst: {min: 2, max: 4}, probability: 1/10}\n"
                   "  - {id: nth, fault: stream-cut, key: call, every: 5, how: [close, reset]}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  std::vector<Strike> strikes;
  const auto first = play(*profile, strikes);
  ASSERT_GT(strikes.size(), 20U);
  const std::string text = json::to_string(to_schedule("pinned", *profile->seed, strikes));
  const auto schedule = read_schedule("s.json", text);
  ASSERT_TRUE(schedule) << schedule.error().message;
  for (const Rule& rule : schedule->rules) {
    EXPECT_FALSE(rule.probability.is_chance());
    EXPECT_TRUE(rule.drawn.empty());
  }
  std::vector<Strike> again;
  EXPECT_EQ(play(*schedule, again), first);
  EXPECT_EQ(json::to_string(to_schedule("pinned", *profile->seed, again)), text);
}

TEST(Schedule, LetsStrikesOfOneLayerThatDidNotCompeteStandBesideEachOther) {
  const auto profile = read_profile("p.yaml",
                                    "squall: 1\nname: p\nseed: 7\nscope: session\nrules:\n"
                                    "  - {id: a, fault: error}\n"
                                    "  - {id: b, fault: corrupt, exclusive: own, scope: run}\n");
  ASSERT_TRUE(profile) << profile.error().message;
  std::vector<Strike> strikes;
  const auto first = play(*profile, strikes);
  ASSERT_EQ(strikes.size(), 120U);
  const json::Value value = to_schedule("pinned", *profile->seed, strikes, profile->scope);
  const auto schedule = read_schedule("s.json", json::to_string(value));
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->scope, Scope::session);
  EXPECT_EQ(schedule->rules[1].scope, Scope::run);
  std::vector<Strike> again;
  EXPECT_EQ(play(*schedule, again), first);
}

TEST(Schedule, TellsEveryMistakeAtOnce) {
  const auto schedule = read_schedule(
      "s.yaml",
      "squall: 1\nschedule: s\nseed: 1\nstrikes:\n"
      "  - {site: nowhere, rule: r, fault: error}\n"
      "  - {site: '[\"spawn\",1]', rule: r, fault: errors}\n"
      "  - {site: '[\"spawn\",1]', rule: r, fault: stream-format, with: {variant: [crlf, cr]}}\n"
      "  - {site: '[\"call\",\"t\",1]', fault: error, wiht: {}}\n");
  ASSERT_FALSE(schedule);
  EXPECT_THAT(schedule.error().message, HasSubstr("/strikes/0/site: expected a site"));
  EXPECT_THAT(schedule.error().message, HasSubstr("/strikes/1/fault: expected a kind"));
  EXPECT_THAT(schedule.error().message, HasSubstr("nothing left to draw"));
  EXPECT_THAT(schedule.error().message, HasSubstr("did you mean \"with\"?"));
  EXPECT_THAT(schedule.error().message, HasSubstr("\"rule\" is missing"));
}

}  // namespace
}  // namespace squall::fault
