#include "squall/lab/replay.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "squall/fault/draw.h"
#include "squall/json/write.h"
#include "squall/lab/suite.h"
#include "squall/recording/case_writer.h"

namespace squall::lab {
namespace {

namespace fs = std::filesystem;
using cases::Divergence;
using testing::HasSubstr;

/// Recorded runs against the built-in server.
class Replaying : public testing::Test {
 protected:
  Replaying() {
    std::string name = (fs::temp_directory_path() / "squall-replay-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    options_.environment = [](std::string_view) { return std::optional<std::string>(); };
  }
  ~Replaying() override { fs::remove_all(folder_); }

  recording::Case record(const std::string& scenario, const std::string& profile,
                         const std::string& protocol = "\"2026-07-28\"") {
    const std::string file = (folder_ / "s.yaml").string();
    std::ofstream(folder_ / "p.yaml") << "squall: 1\nname: p\nrules:\n" << profile;
    auto read = read_scenario(file, "squall: 1\nname: s\nprotocol: " + protocol +
                                        "\nfaults: { profile: p.yaml, seed: 11 }\n" + scenario);
    EXPECT_TRUE(read.has_value()) << read.error().message;
    scenarios_ = {*std::move(read)};
    SuiteOptions suite;
    suite.cases.folder = (folder_ / "cases").string();
    suite.cases.always = true;
    suite.cases.tool = "squall test";
    suite.cases.started = "2026-01-01T00:00:00.000Z";
    suite.cases.platform = "linux";
    suite.cases.scheme = fault::kScheme;
    suite.environment = options_.environment;
    const auto played = run_suite(scenarios_, registry_, suite);
    EXPECT_EQ(played[0].trouble, "");
    auto out = recording::read_case(played[0].case_folder);
    EXPECT_TRUE(out.has_value()) << out.error().message;
    return *std::move(out);
  }

  Replayed again(const recording::Case& from, ReplayMode mode) {
    options_.mode = mode;
    auto out = replay(from, registry_, options_);
    EXPECT_TRUE(out.has_value()) << out.error().message;
    return out ? *std::move(out) : Replayed();
  }
  static std::string told(const Replayed& out) {
    return out.divergence ? json::to_string(cases::to_json(*out.divergence)) : "";
  }
  void expect_same(const recording::Case& from) {
    for (const ReplayMode mode : {ReplayMode::decide, ReplayMode::pinned, ReplayMode::sealed}) {
      const Replayed out = again(from, mode);
      EXPECT_EQ(out.unrecorded, 0U) << out.first_unrecorded;
      EXPECT_EQ(told(out), "") << static_cast<int>(mode);
      // A schedule's rules have other names, and at one and the same time the order may differ.
      if (mode != ReplayMode::decide) continue;
      EXPECT_EQ(out.run_hash, from.run_hash);
    }
  }

  fs::path folder_;
  AdapterRegistry registry_;
  ReplayOptions options_;
  std::vector<Scenario> scenarios_;
};

constexpr const char* kCalls =
    "steps:\n"
    "  - repeat:\n"
    "      times: 12\n"
    "      steps:\n"
    "        - call: { tool: delay, args: { delayMs: 40 } }\n"
    "          timeout: 500ms\n"
    "          expect: { duration: { max: 10s } }\n"
    "        - list: tools\n"
    "          expect: { duration: { max: 10s } }\n";
constexpr const char* kSome =
    "  - { id: slow, fault: latency, delay: { uniform: [10ms, 90ms] }, probability: 1/3 }\n"
    "  - { id: gone, fault: lost, how: silence, probability: 1/5 }\n"
    "  - { id: broken, fault: error, message: no, probability: 1/6 }\n";

TEST_F(Replaying, GivesTheSameInEveryMode) { expect_same(record(kCalls, kSome)); }

TEST_F(Replaying, GivesTheSameOnTheEraWithAHandshake) {
  expect_same(record(kCalls, kSome, "\"2025-11-25\""));
}

TEST_F(Replaying, GivesTheSameWithCallsAtOnceAndProgressAmongThem) {
  expect_same(
      record("steps:\n"
             "  - parallel:\n"
             "      - call: { tool: delay, args: { delayMs: 30 } }\n"
             "      - call: { tool: delay, args: { delayMs: 10 } }\n"
             "      - call: { tool: ping }\n"
             "  - observe: { tool: ping, connection: separate }\n",
             "  - { id: slow, fault: latency, delay: 7ms, when: { tool: ping } }\n"));
}

TEST_F(Replaying, GivesTheSameWhereTheServerItselfMisbehaves) {
  expect_same(
      record("steps:\n"
             "  - call: { tool: hang, args: {} }\n"
             "    timeout: 100ms\n"
             "    expect: { outcome: timeout }\n"
             "  - call: { tool: disconnect, args: { phase: before_response } }\n"
             "    expect: { outcome: transport_loss }\n",
             "  - { id: slow, fault: latency, delay: 7ms, when: { tool: ping } }\n"));
}

TEST_F(Replaying, NamesADecisionThatCameOutOtherwise) {
  recording::Case from = record(kCalls, kSome);
  from.header.seed = 12;
  const Replayed out = again(from, ReplayMode::decide);
  ASSERT_TRUE(out.divergence);
  EXPECT_EQ(out.divergence->cause, Divergence::Cause::decision);
}

TEST_F(Replaying, NamesTheServerThatAnswersOtherwise) {
  recording::Case from = record(kCalls, kSome);
  for (recording::Event& event : from.events) {
    auto* message = std::get_if<recording::Message>(&event.body);
    if (message == nullptr || message->from == recording::Party::client) continue;
    std::string& bytes = message->payload.bytes;
    const std::size_t at = bytes.find("delayed");
    if (at == std::string::npos) continue;
    bytes.replace(bytes.find("40", at), 2, "41");
    break;
  }
  const Replayed out = again(from, ReplayMode::decide);
  ASSERT_TRUE(out.divergence);
  EXPECT_EQ(out.divergence->cause, Divergence::Cause::upstream);
  EXPECT_THAT(out.divergence->recorded, HasSubstr("41"));
  // Sealed, the recorded answer is the one that comes.
  const Replayed sealed = again(from, ReplayMode::sealed);
  EXPECT_FALSE(sealed.divergence);
}

TEST_F(Replaying, AnswersAnUnrecordedCallHonestlyOrFromTheTarget) {
  recording::Case from =
      record("steps:\n  - call: { tool: ping }\n", "  - { fault: lost, calls: [9] }\n");
  json::Value step = json::Value::object();
  step.set("call", json::Value::object(
                       {{"tool", "delay"}, {"args", json::Value::object({{"delayMs", 5}})}}));
  json::Value steps = *from.header.scenario.find("steps");
  steps.push_back(std::move(step));
  from.header.scenario.set("steps", std::move(steps));
  const Replayed refused = again(from, ReplayMode::sealed);
  EXPECT_EQ(refused.unrecorded, 1U);
  EXPECT_THAT(refused.first_unrecorded, HasSubstr("tools/call {\"arguments\":{\"delayMs\":5}"));
  ASSERT_TRUE(refused.divergence);
  EXPECT_EQ(refused.divergence->cause, Divergence::Cause::client);
  EXPECT_EQ(refused.verdict, Judgement::failed);
  options_.pass_unrecorded = true;
  const Replayed passed = again(from, ReplayMode::sealed);
  EXPECT_EQ(passed.unrecorded, 1U);
  EXPECT_EQ(passed.verdict, Judgement::passed);
}

TEST_F(Replaying, SendsTheRecordedMessagesWhereThereIsNoScenario) {
  for (const char* protocol : {"\"2026-07-28\"", "\"2025-11-25\""}) {
    recording::Case from = record(kCalls, kSome, protocol);
    // What a proxy records: no scenario, and nobody's verdicts.
    from.header.scenario = {};
    std::erase_if(from.events, [](const recording::Event& event) {
      return std::holds_alternative<recording::Verdict>(event.body);
    });
    const Replayed out = again(from, ReplayMode::sealed);
    EXPECT_FALSE(out.by_scenario);
    EXPECT_GT(out.messages, 20U);
    EXPECT_EQ(out.unrecorded, 0U) << out.first_unrecorded;
    EXPECT_EQ(told(out), "");
  }
}

TEST_F(Replaying, SaysWhatItCannotDo) {
  recording::Case from = record(kCalls, kSome);
  from.header.scenario = {};
  options_.mode = ReplayMode::decide;
  EXPECT_THAT(replay(from, registry_, options_).error().message, HasSubstr("names no target"));
  from.events.clear();
  options_.mode = ReplayMode::sealed;
  EXPECT_THAT(replay(from, registry_, options_).error().message,
              HasSubstr("neither a scenario nor a client's message"));
  from.header.scheme = "squall-draw-9";
  EXPECT_FALSE(replay(from, registry_, options_));
}

}  // namespace
}  // namespace squall::lab
