#include "squall/lab/runner.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "squall/json/write.h"
#include "squall/lab/builtin.h"
#include "squall/recording/run_hash.h"

namespace squall::lab {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Lines = std::vector<std::string>;

/// A scenario, run in process; what it came to.
struct Ran {
  Scenario scenario;
  RunResult result;
  recording::MemoryRecorder events;

  explicit Ran(const std::string& text, std::optional<Protocol> protocol = std::nullopt) {
    auto read = read_scenario("s", text);
    EXPECT_TRUE(read.has_value()) << read.error().message;
    scenario = std::move(*read);
    const auto target = make_builtin_target();
    RunOptions options;
    options.protocol = choose_protocol(scenario, *target, protocol);
    auto faults = load_faults(scenario, {});
    EXPECT_TRUE(faults.has_value()) << faults.error().message;
    options.faults = *std::move(faults);
    result = run_once(scenario, *target, options, &events);
  }
  /// Everything that didn't hold, and every reason.
  [[nodiscard]] Lines troubles() const {
    Lines out;
    if (!result.why.empty()) out.push_back(result.why);
    for (const StepResult& step : result.steps) {
      if (!step.why.empty()) out.push_back(step.label + ": " + step.why);
      for (const Finding& finding : step.findings) {
        if (!finding.held) out.push_back(step.label + ": " + finding.text);
      }
    }
    for (const Finding& finding : result.findings) {
      if (!finding.held) out.push_back(finding.text);
    }
    return out;
  }
  [[nodiscard]] Lines labels() const {
    Lines out;
    for (const StepResult& step : result.steps) out.push_back(step.label);
    return out;
  }
  [[nodiscard]] std::string hash() const {
    std::string out;
    for (const recording::Event& event : events.events()) recording::extend_run_hash(out, event);
    return out;
  }
};

std::string simple(const std::string& tool, const std::string& args, const std::string& expect,
                   const std::string& more = "") {
  return R"({"name":"s","call":{"tool":")" + tool + R"(","args":)" + args + R"(},"expect":)" +
         expect + more + "}";
}
std::string full(const std::string& steps, const std::string& more = "") {
  return "squall: 1\nname: f\n" + more + "steps:\n" + steps;
}
constexpr auto kPassed = Judgement::passed;
constexpr auto kFailed = Judgement::failed;

class BothRevisions : public testing::TestWithParam<Protocol> {};
INSTANTIATE_TEST_SUITE_P(Protocol, BothRevisions,
                         testing::Values(Protocol::legacy, Protocol::modern), [](const auto& each) {
                           return each.param == Protocol::legacy ? "Legacy" : "Modern";
                         });

TEST_P(BothRevisions, RunsASimpleScenarioOnVirtualTime) {
  const Ran ran(
      simple("delay", R"({"delayMs":30000})", R"({"outcome":"success"})", R"(,"timeoutMs":30001)"),
      GetParam());
  EXPECT_THAT(ran.troubles(), IsEmpty());
  EXPECT_EQ(ran.result.judgement, kPassed);
  EXPECT_GE(ran.result.steps.at(0).took, 30s);
  EXPECT_LT(ran.result.steps.at(0).took, 30s + 1ms);
  EXPECT_EQ(ran.result.introduction.protocol, to_text(GetParam()));
}

TEST_P(BothRevisions, TimesOutAndCancels) {
  const Ran ran(simple("hang", "{}", R"({"outcome":"timeout"})",
                       R"(,"timeoutMs":250,"observe":{"call":{"tool":"ping","args":{}},)"
                       R"("expect":{"outcome":"success"}})"),
                GetParam());
  EXPECT_THAT(ran.troubles(), IsEmpty());
  EXPECT_EQ(ran.result.steps.at(0).took, 250ms);
  Lines ids;
  for (const Operation& operation : ran.result.operations) ids.push_back(operation.id());
  EXPECT_THAT(ids,
              ElementsAre("external-run:setup:1", "external-run:execute:1", "external-run:cancel:1",
                          "external-run:observe:1", "external-run:cleanup:1"));
  EXPECT_EQ(ran.result.operations[1].outcome, Outcome::timeout);
}

TEST_P(BothRevisions, MeetsEveryFaultOfTheTools) {
  const std::string ping = R"(,"timeoutMs":500,"observe":{"call":{"tool":"ping","args":{}},)"
                           R"("expect":{"outcome":"success"}})";
  for (const char* variant : {"missing-jsonrpc", "invalid-jsonrpc-version", "result-with-error"}) {
    // Over HTTP the reply can only be about its request; elsewhere nobody knows whose it is.
    const bool modern = GetParam() == Protocol::modern;
    const Ran ran(simple("malformed_message", R"({"variant":")" + std::string(variant) + "\"}",
                         modern ? R"({"outcome":"error"})" : R"({"outcome":"timeout"})", ping),
                  GetParam());
    EXPECT_THAT(ran.troubles(), IsEmpty()) << variant;
  }
  EXPECT_THAT(Ran(simple("duplicate_response", "{}", R"({"outcome":"success"})", ping), GetParam())
                  .troubles(),
              IsEmpty());
}

TEST(RunScenario, FailsWithEverythingThatDoesNotHold) {
  const Ran ran(simple("ping", "{}",
                       R"({"outcome":"timeout","result":{"isError":true,"textContains":"no"}})"));
  EXPECT_EQ(ran.result.judgement, kFailed);
  EXPECT_THAT(ran.troubles(), ElementsAre("call ping: expected outcome timeout, received success",
                                          "call ping: expected result isError true, received false",
                                          "call ping: expected result text to contain \"no\""));
}

TEST(RunScenario, LosesTheConnectionAndSaysSo) {
  const Ran ran(
      full("  - call: { tool: disconnect }\n"
           "    expect: { outcome: transport_loss }\n"
           "  - call: { tool: ping }\n"));
  EXPECT_THAT(ran.troubles(), IsEmpty());
  // A channel is gone for good, and the observer of the simple form must have an answer.
  const Ran legacy(simple("disconnect", "{}", R"({"outcome":"error"})",
                          R"(,"observe":{"call":{"tool":"ping","args":{}},)"
                          R"("expect":{"outcome":"error"}})"),
                   Protocol::legacy);
  EXPECT_THAT(legacy.troubles(),
              ElementsAre(HasSubstr("observe ping: observer execution failed: ")));
}

TEST(RunScenario, GivesResultsToLaterSteps) {
  const Ran ran(
      full("  - call: { tool: delay, args: { delayMs: 7 }, as: first }\n"
           "  - call: { tool: delay, args: { delayMs: \"{{first.durationMs}}\" } }\n"
           "    expect: { result: { json: { /delayMs: { $min: 7 } } } }\n"
           "  - call: { tool: ping, args: { x: \"{{first.nothing}}\" } }\n"));
  EXPECT_EQ(ran.result.judgement, Judgement::errored);
  EXPECT_THAT(ran.troubles(), ElementsAre("call ping: nothing stands at {{first.nothing}}"));
}

TEST_P(BothRevisions, RunsStepsAtOnceInTheBackgroundAndAgain) {
  const Ran ran(full("  - call: { tool: hang, as: slow, background: true }\n"
                     "  - parallel:\n"
                     "      - call: { tool: delay, args: { delayMs: 30 } }\n"
                     "      - call: { tool: delay, args: { delayMs: 10 } }\n"
                     "  - repeat: { times: 2, steps: [ { call: { tool: ping } } ] }\n"
                     "  - cancel: slow\n"
                     "  - wait: slow\n"
                     "  - wait: 5ms\n"
                     "  - observe: { tool: ping, connection: separate }\n"
                     "  - reconnect: true\n"
                     "  - list: tools\n"
                     "    expect: { result: { json: { /tools: { $length: { min: 7 } } } } }\n"),
                GetParam());
  EXPECT_THAT(ran.troubles(), IsEmpty());
  EXPECT_THAT(ran.labels(),
              ElementsAre("call hang", "call delay", "call delay", "call ping (1 of 2)",
                          "call ping (2 of 2)", "cancel slow", "wait slow", "wait 5ms",
                          "observe ping", "reconnect", "list tools"));
  EXPECT_EQ(ran.result.steps[0].attempt.ending, Ending::cancelled);
  EXPECT_GE(ran.result.took, 35ms);
  EXPECT_LT(ran.result.took, 45ms);  // the two delays at once
}

TEST(RunScenario, CountsWhatIsOnTheWire) {
  const std::string steps = "  - call: { tool: ping }\n  - call: { tool: ping }\n";
  const Ran held(full(steps,
                      "expect:\n"
                      "  wire:\n"
                      "    - { from: client, method: tools/call, count: 2 }\n"
                      "    - { from: server, method: response, count: { min: 2 } }\n"
                      "    - { from: server, method: error, count: 0 }\n"
                      "  wire_order:\n"
                      "    - { from: client, method: tools/call }\n"
                      "    - { from: server, method: response }\n"
                      "    - { from: client, method: tools/call }\n"));
  EXPECT_THAT(held.troubles(), IsEmpty());
  const Ran broken(full(steps,
                        "expect:\n"
                        "  wire: [ { from: client, method: tools/call, count: 3 } ]\n"
                        "  wire_order: [ { from: server, method: error } ]\n"));
  EXPECT_EQ(broken.result.judgement, kFailed);
  EXPECT_THAT(broken.troubles(),
              ElementsAre("expected 3 of client tools/call on the wire, received 2",
                          "expected the wire's messages in order, received 0 in order; then no "
                          "server error"));
}

TEST(RunScenario, SendsBytesAsTheyAre) {
  const Ran ran(
      full("  - raw: '{\"jsonrpc\":\"2.0\",\"id\":'\n"
           "  - wait: 10ms\n"
           "  - call: { tool: ping }\n",
           "protocol: \"2025-11-25\"\n"
           "expect: { wire: [ { from: server, method: error, count: 1 } ] }\n"));
  EXPECT_THAT(ran.troubles(), IsEmpty());
}

TEST_P(BothRevisions, AsksNotifiesAndListens) {
  const Ran ran(full("  - request: { method: no/such, as: odd }\n"
                     "    expect: { outcome: protocol_error, error: { code: -32601 } }\n"
                     "  - notify: { method: notifications/nothing }\n"
                     "  - read: \"file:///nothing\"\n"
                     "    expect: { outcome: protocol_error }\n"
                     "  - prompt: { name: nobody }\n"
                     "    expect: { outcome: protocol_error }\n"
                     "  - call: { tool: delay, args: { delayMs: -1 } }\n"
                     "    expect: { outcome: error, result: { isError: true, text: delayMs } }\n"),
                GetParam());
  EXPECT_THAT(ran.troubles(), IsEmpty());
}

TEST(RunScenario, EndsWithItsBudget) {
  const Ran ran(
      full("  - repeat: { times: 100, steps: [ { wait: 10s } ] }\n", "budgets: { run: 45s }\n"));
  EXPECT_EQ(ran.result.judgement, kFailed);
  EXPECT_THAT(ran.troubles(), ElementsAre("the run took longer than its budget"));
  EXPECT_EQ(ran.result.took, 45s);
}

/// A profile in a folder of its own, for scenarios that name it.
class Faults : public testing::TestWithParam<Protocol> {
 protected:
  Faults() {
    std::string name = (std::filesystem::temp_directory_path() / "squall-faults-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Faults() override { std::filesystem::remove_all(folder_); }
  std::string with(const std::string& rules) {
    std::ofstream(folder_ / "p.yaml") << "squall: 1\nname: p\nseed: 1\nrules:\n" << rules;
    return "faults: { profile: " + (folder_ / "p.yaml").string() + " }\n";
  }

 private:
  std::filesystem::path folder_;
};
INSTANTIATE_TEST_SUITE_P(Protocol, Faults, testing::Values(Protocol::legacy, Protocol::modern),
                         [](const auto& each) {
                           return each.param == Protocol::legacy ? "Legacy" : "Modern";
                         });

TEST_P(Faults, StrikeBetweenClientAndTarget) {
  const Ran ran(full("  - call: { tool: ping }\n"
                     "    timeout: 400ms\n"
                     "    expect: { outcome: timeout }\n"
                     "  - call: { tool: ping }\n"
                     "  - call: { tool: delay, args: { delayMs: 10 } }\n"
                     "    expect: { outcome: error, result: { text: ETIMEDOUT } }\n",
                     with("  - { id: gone, fault: lost, how: silence, attempts: [1], "
                          "when: { tool: ping } }\n"
                          "  - { id: bad, fault: error, message: ETIMEDOUT, when: { tool: delay } "
                          "}\n") +
                         "expect: { faults: { fired: [ gone, bad ] } }\n"),
                GetParam());
  EXPECT_THAT(ran.troubles(), IsEmpty());
  EXPECT_THAT(ran.result.fired, testing::UnorderedElementsAre("gone", "bad"));
  std::size_t lost = 0;
  std::size_t decided = 0;
  for (const recording::Event& event : ran.events.events()) {
    const auto* const delivered = std::get_if<recording::Delivered>(&event.body);
    if (delivered != nullptr && delivered->delivery == recording::Delivery::lost) ++lost;
    if (std::holds_alternative<recording::Decision>(event.body)) ++decided;
  }
  EXPECT_EQ(lost, 1U);
  EXPECT_GE(decided, 3U);
}

TEST_P(Faults, ThatHadToStrikeAndDidNotShowNothing) {
  const Ran ran(full("  - call: { tool: ping }\n",
                     with("  - { id: bad, fault: error, when: { tool: other } }\n") +
                         "expect: { faults: { fired: [ bad ] } }\n"),
                GetParam());
  EXPECT_EQ(ran.result.judgement, Judgement::inconclusive);
  EXPECT_EQ(ran.result.why, "rule bad never struck");
}

TEST_P(Faults, StrikeTwiceInTheSameWay) {
  const std::string text =
      full("  - repeat: { times: 20, steps: [ { call: { tool: ping }, expect: {} } ] }\n",
           with("  - { id: some, fault: error, probability: 1/3 }\n"));
  const Ran once(text, GetParam());
  const Ran twice(text, GetParam());
  EXPECT_EQ(once.hash(), twice.hash());
}

TEST_P(BothRevisions, HappensTwiceInTheSameWay) {
  const std::string text = full(
      "  - parallel:\n"
      "      - call: { tool: delay, args: { delayMs: 30000 } }\n"
      "      - call: { tool: ping }\n"
      "  - call: { tool: disconnect }\n"
      "    expect: { outcome: transport_loss }\n");
  const Ran once(text, GetParam());
  const Ran twice(text, GetParam());
  EXPECT_THAT(once.events.events(), SizeIs(testing::Gt(8U)));
  EXPECT_EQ(once.hash(), twice.hash());
}

TEST(RunScenario, TellsWhatTheLivenessToolFound) {
  const Ran ran(simple("protocol_ping_liveness",
                       R"({"pingAfterMs":0,"livenessTimeoutMs":5,"closeOnFailure":true})",
                       R"({"outcome":"error"})"));
  Lines notes;
  for (const recording::Event& event : ran.events.events()) {
    const auto* note = std::get_if<recording::Delivered>(&event.body);
    if (note != nullptr && note->rule == "protocol_ping_liveness") notes.push_back(note->how);
  }
  EXPECT_THAT(notes, Contains(HasSubstr("ping unsupported")));
}

/// A file beside no scenario, gone at the end.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "squall-runner-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    std::ofstream(path()) << text;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder); }
  [[nodiscard]] std::string path() const { return (folder / "p.yaml").string(); }
  std::filesystem::path folder;
};

TEST(Retries, AskAgainWhenNoAnswerCameAndNotOtherwise) {
  const TemporaryFile lost(
      "squall: 1\nname: p\nrules:\n"
      "  - {id: gone, fault: lost, how: silence, calls: [1, 2], when: {tool: ping}}\n");
  const std::string faults = "faults: { profile: " + lost.path() + " }\n";
  const std::string counted = "expect: { wire: [ { from: client, method: tools/call, count: ";
  const Ran twice(full("  - call: { tool: ping }\n    timeout: 100ms\n    retries: 3\n",
                       faults + counted + "3 } ] }\n"));
  EXPECT_THAT(twice.troubles(), IsEmpty());
  EXPECT_GE(twice.result.steps.at(0).took, 200ms);
  EXPECT_LT(twice.result.steps.at(0).took, 300ms);
  const Ran once(
      full("  - call: { tool: ping }\n    timeout: 100ms\n    retries: 1\n"
           "    expect: { outcome: timeout }\n",
           faults + counted + "2 } ] }\n"));
  EXPECT_THAT(once.troubles(), IsEmpty());
  // A tool that says no has answered.
  const Ran refused(
      full("  - call: { tool: delay }\n    retries: 3\n"
           "    expect: { outcome: error }\n",
           counted + "1 } ] }\n"));
  EXPECT_THAT(refused.troubles(), IsEmpty());
}

TEST(Faults, MayBeASchedule) {
  const TemporaryFile schedule(
      "squall: 1\nschedule: s\nseed: \"9\"\nstrikes:\n"
      "  - {site: '[\"args\",\"ping\",{},2]', rule: broken, fault: error}\n");
  const Ran ran(
      full("  - call: { tool: ping }\n"
           "  - call: { tool: ping }\n    expect: { outcome: error }\n"
           "  - call: { tool: ping }\n",
           "faults: { profile: " + schedule.path() +
               " }\n"
               "expect: { faults: { fired: [ broken ] } }\n"));
  EXPECT_THAT(ran.troubles(), IsEmpty());
}

TEST(Faults, MayStandInTheScenario) {
  const Ran ran(
      full("  - call: { tool: ping }\n    expect: { outcome: error }\n"
           "  - call: { tool: ping }\n",
           "faults: { rules: [ { id: once, fault: error, message: no, calls: [1] } ] }\n"
           "expect: { faults: { fired: [ once ] } }\n"));
  EXPECT_THAT(ran.troubles(), IsEmpty());
  auto wrong = read_scenario(
      "s", full("  - call: { tool: ping }\n", "faults: { rules: [ { fault: eror } ] }\n"));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_THAT(load_faults(*wrong, {}).error().message, HasSubstr("s: /faults"));
  EXPECT_FALSE(read_scenario(
      "s", full("  - call: { tool: ping }\n", "faults: { profile: flaky, rules: [] }\n")));
}

TEST(Observer, MayExpectThatItsOwnConnectionFails) {
  const std::string faults = "faults: { rules: [ { id: refused, fault: refuse, calls: [2] } ] }\n";
  const std::string observe = "  - observe: { tool: ping, connection: separate }\n";
  const Ran expected(
      full("  - call: { tool: ping }\n" + observe + "    expect: { outcome: transport_loss }\n",
           faults));
  EXPECT_THAT(expected.troubles(), IsEmpty());
  EXPECT_EQ(expected.result.judgement, kPassed);
  const Ran unexpected(full("  - call: { tool: ping }\n" + observe, faults));
  EXPECT_EQ(unexpected.result.judgement, kFailed);
}

}  // namespace
}  // namespace squall::lab
