#include "squall/inject/fault_tools.h"

#include <gmock/gmock.h>

#include "squall/json/parse.h"

#include "tools_bench.h"

namespace squall::inject {
namespace {

using namespace std::chrono_literals;
using test::is_error;
using test::text_of;
using test::ToolsBench;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Lines = std::vector<std::string>;

/// Notes what is found, as "id ping transport".
class Notes final : public LivenessRecorder {
 public:
  void record(const LivenessEvent& event) override {
    lines.push_back(std::string(event.request_id) + " " + std::string(event.ping) + " " +
                    std::string(event.transport));
  }
  Lines lines;
};

TEST(Ping, TellsTheTimeOfItsLoop) {
  ToolsBench bench;
  bench.call(1, "ping");
  const Lines heard = bench.hear();
  ASSERT_THAT(heard, SizeIs(1));
  EXPECT_EQ(text_of(heard[0]), R"({"status":"ok","timestamp":"2026-01-01T00:00:00.000Z"})");
}

TEST(Ping, IgnoresArguments) {
  ToolsBench bench;
  bench.call(1, "ping", R"({"anything":[1]})");
  EXPECT_THAT(text_of(bench.hear()[0]), HasSubstr("\"ok\""));
}

TEST(Delay, AnswersWhenItsTimeHasPassedAndNotBefore) {
  ToolsBench bench;
  bench.call(1, "delay", R"({"delayMs":30000})");
  EXPECT_THAT(bench.hear(29'999ms), IsEmpty());
  EXPECT_EQ(text_of(bench.hear(1ms).at(0)), R"({"status":"delayed","delayMs":30000})");
}

TEST(Delay, RefusesTimesOutOfBounds) {
  for (const char* arguments : {"{}", R"({"delayMs":-1})", R"({"delayMs":30001})",
                                R"({"delayMs":1.5})", R"({"delayMs":"5"})"}) {
    ToolsBench bench;
    bench.call(1, "delay", arguments);
    EXPECT_TRUE(is_error(bench.hear().at(0))) << arguments;
  }
}

TEST(Hang, NeverAnswersAndEndsWhenCancelled) {
  ToolsBench bench;
  bench.initialize();
  bench.call(1, "hang");
  EXPECT_THAT(bench.hear(24h), IsEmpty());
  bench.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  bench.call(2, "ping");
  EXPECT_THAT(bench.hear(), SizeIs(1));
}

TEST(Disconnect, EndsTheConnectionWithoutAnAnswer) {
  for (const char* how : {"close", "reset", "half_close"}) {
    ToolsBench bench;
    bench.call(1, "hang");
    bench.call(2, "disconnect", R"({"how":")" + std::string(how) + "\"}");
    EXPECT_THAT(bench.hear(), IsEmpty()) << how;
    EXPECT_TRUE(bench.ended()) << how;
  }
}

TEST(Disconnect, SendsTheBytesAskedForBefore) {
  ToolsBench bench;
  bench.call(1, "disconnect", R"({"after":17})");
  EXPECT_THAT(bench.hear(), ElementsAre(R"({"jsonrpc":"2.0",)"));
  EXPECT_TRUE(bench.ended());
}

TEST(Disconnect, EndsTheProcessWithTheCodeAskedFor) {
  std::vector<int> codes;
  FaultToolOptions options;
  options.exit_process = [&](int code) { codes.push_back(code); };
  ToolsBench bench(options);
  bench.call(1, "disconnect", R"({"how":"exit","code":3})");
  bench.hear();
  EXPECT_THAT(codes, ElementsAre(3));
}

TEST(Disconnect, SaysSoWhereNoProcessMayEnd) {
  ToolsBench bench;
  bench.call(1, "disconnect", R"({"how":"exit"})");
  EXPECT_TRUE(is_error(bench.hear().at(0)));
  EXPECT_FALSE(bench.ended());
}

TEST(DuplicateResponse, AnswersTwiceWithTheSameBytes) {
  ToolsBench bench;
  bench.call(1, "duplicate_response");
  const Lines heard = bench.hear();
  ASSERT_THAT(heard, SizeIs(2));
  EXPECT_EQ(heard[0], heard[1]);
  EXPECT_EQ(text_of(heard[0]), "duplicate response activated");
}

TEST(DuplicateResponse, TouchesItsOwnCallAlone) {
  ToolsBench bench;
  bench.call(1, "delay", R"({"delayMs":5})");
  bench.call(2, "duplicate_response");
  EXPECT_THAT(bench.hear(), SizeIs(2));
  EXPECT_THAT(bench.hear(5ms), SizeIs(1));
}

TEST(ResponseAfterCancellation, AnswersOnceItIsCancelled) {
  ToolsBench bench;
  bench.initialize();
  bench.send(R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{)"
             R"("name":"response_after_cancellation","_meta":{"progressToken":"p"}}})");
  const Lines told = bench.hear(1s);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("notifications/progress"));
  bench.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}})");
  const Lines late = bench.hear(10s);
  ASSERT_THAT(late, SizeIs(1));
  EXPECT_EQ(text_of(late[0]), "response sent after cancellation");
  EXPECT_THAT(late[0], HasSubstr(R"("id":0)"));
}

TEST(ResponseAfterCancellation, SaysResultTypeToModernPeers) {
  ToolsBench bench;
  bench.call_modern(7, "response_after_cancellation");
  bench.hear();
  bench.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  const Lines late = bench.hear();
  ASSERT_THAT(late, SizeIs(1));
  EXPECT_THAT(late[0], HasSubstr(R"("resultType":"complete")"));
}

TEST(ResponseAfterCancellation, GivesUpAfterFiveSeconds) {
  ToolsBench bench;
  bench.call(1, "response_after_cancellation");
  EXPECT_THAT(bench.hear(4'999ms), IsEmpty());
  EXPECT_TRUE(is_error(bench.hear(1ms).at(0)));
}

TEST(ResponseAfterCancellation, IsArmedAtMost128Times) {
  ToolsBench bench;
  bench.initialize();
  for (int id = 1; id <= 129; ++id) bench.call(id, "response_after_cancellation");
  const Lines heard = bench.hear();
  ASSERT_THAT(heard, SizeIs(1));
  EXPECT_TRUE(is_error(heard[0]));
  EXPECT_THAT(heard[0], HasSubstr(R"("id":129)"));
  // Those that gave up have made room.
  bench.hear(5s);
  bench.call(200, "response_after_cancellation");
  EXPECT_THAT(bench.hear(), IsEmpty());
}

/// Arms all there are, and one more, which must be refused.
void arm_all(ToolsBench& bench, test::Peer& peer, int first_id) {
  for (int i = 0; i < 128; ++i) peer.call(first_id + i, "response_after_cancellation");
  bench.run();
  EXPECT_THAT(peer.take(), IsEmpty());
  peer.call(first_id + 128, "response_after_cancellation");
  bench.run();
  const Lines heard = peer.take();
  ASSERT_THAT(heard, SizeIs(1));
  EXPECT_TRUE(is_error(heard[0]));
}

TEST(ArmedFaults, AreGoneWithTheirCallsHoweverThoseEnd) {
  ToolsBench bench;
  bench.initialize();
  arm_all(bench, bench.peer(), 1);
  for (int id = 1; id <= 128; ++id) bench.peer().cancel(id);
  EXPECT_THAT(bench.hear(), SizeIs(128));  // cancelled
  arm_all(bench, bench.peer(), 1001);
  EXPECT_THAT(bench.hear(5s), SizeIs(128));  // not in time
  auto other = bench.join();
  arm_all(bench, *other, 1);
  other->leave();  // the client has gone: what it asked for goes on to its own end
  bench.run(5s);
  arm_all(bench, bench.peer(), 2001);
  bench.call(3000, "disconnect");  // the connection breaks
  bench.run();
  other = bench.join();
  arm_all(bench, *other, 1);
}

TEST(ArmedFaults, StrikeOnceThoughTheIdComesAgain) {
  ToolsBench bench;
  bench.call(7, "duplicate_response");
  EXPECT_THAT(bench.hear(), SizeIs(2));
  bench.call(7, "ping");
  EXPECT_THAT(bench.hear(), SizeIs(1));
}

TEST(Liveness, FindsAClientThatAnswers) {
  const auto notes = std::make_shared<Notes>();
  FaultToolOptions options;
  options.recorder = notes;
  ToolsBench bench(options);
  bench.initialize();
  bench.call(5, "protocol_ping_liveness",
             R"({"pingAfterMs":10,"livenessTimeoutMs":100,"completionDelayMs":20})");
  EXPECT_THAT(bench.hear(9ms), IsEmpty());
  const Lines ping = bench.hear(1ms);
  ASSERT_THAT(ping, SizeIs(1));
  const auto sent = json::parse(ping[0]);
  ASSERT_TRUE(sent.has_value());
  EXPECT_EQ(sent->find_string("method"), "ping");
  const std::string id = json::to_string(*sent->find("id"));
  bench.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
  EXPECT_THAT(bench.hear(19ms), IsEmpty());
  const Lines result = bench.hear(1ms);
  ASSERT_THAT(result, SizeIs(1));
  EXPECT_FALSE(is_error(result[0]));
  EXPECT_EQ(text_of(result[0]), R"({"status":"protocol_ping_succeeded","protocolPing":)"
                                R"({"outcome":"success"},"transport":{"outcome":"retained"}})");
  EXPECT_THAT(notes->lines, ElementsAre("5 success retained"));
}

TEST(Liveness, TellsASilentClientThatNobodyWaitsAnyMore) {
  const auto notes = std::make_shared<Notes>();
  FaultToolOptions options;
  options.recorder = notes;
  ToolsBench bench(options);
  bench.initialize();
  bench.call(5, "protocol_ping_liveness",
             R"({"pingAfterMs":0,"livenessTimeoutMs":100,"closeOnFailure":true})");
  EXPECT_THAT(bench.hear(), ElementsAre(HasSubstr("\"ping\"")));
  const Lines heard = bench.hear(100ms);
  ASSERT_THAT(heard, SizeIs(2));
  EXPECT_THAT(heard[0], HasSubstr("notifications/cancelled"));
  EXPECT_TRUE(is_error(heard[1]));
  EXPECT_THAT(heard[1], HasSubstr("closure_unavailable"));
  EXPECT_THAT(notes->lines, ElementsAre("5 timeout closure_unavailable"));
}

TEST(Liveness, TellsAPeerWithoutPingFromABrokenOne) {
  const std::vector<std::pair<std::string, std::string>> answers = {
      {R"("error":{"code":-32601,"message":"no"})", "unsupported"},
      {R"("error":{"code":-32000,"message":"no"})", "invalid_response"}};
  for (const auto& [answer, outcome] : answers) {
    ToolsBench bench;
    bench.initialize();
    bench.call(5, "protocol_ping_liveness", R"({"pingAfterMs":0,"livenessTimeoutMs":100})");
    const auto sent = json::parse(bench.hear().at(0));
    bench.send(R"({"jsonrpc":"2.0","id":)" + json::to_string(*sent->find("id")) + "," + answer +
               "}");
    EXPECT_THAT(text_of(bench.hear().at(0)), HasSubstr(outcome)) << answer;
  }
}

TEST(Liveness, IsUnsupportedSince20260728WithoutAWord) {
  ToolsBench bench;
  bench.call_modern(1, "protocol_ping_liveness", R"({"pingAfterMs":0,"livenessTimeoutMs":100})");
  const Lines heard = bench.hear();
  ASSERT_THAT(heard, SizeIs(1));
  EXPECT_THAT(text_of(heard[0]), HasSubstr("unsupported"));
}

TEST(Liveness, LeavesNothingBehindWhenItsCallIsCancelled) {
  const auto notes = std::make_shared<Notes>();
  FaultToolOptions options;
  options.recorder = notes;
  ToolsBench bench(options);
  bench.initialize();
  bench.call(5, "protocol_ping_liveness", R"({"pingAfterMs":0,"livenessTimeoutMs":100})");
  bench.hear();
  bench.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  EXPECT_THAT(bench.hear(1s), ElementsAre(HasSubstr("notifications/cancelled")));
  EXPECT_THAT(notes->lines, IsEmpty());
}

TEST(FaultTools, AreOfferedWhereTheyMeanSomething) {
  const auto names = [](FaultToolOptions::Transport transport, bool session) {
    FaultToolOptions options;
    options.transport = transport;
    ToolsBench bench(options);
    if (session) bench.initialize();
    bench.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    const auto parsed = json::parse(bench.hear().at(0));
    Lines out;
    for (const json::Value& tool : parsed->find("result")->find("tools")->items()) {
      out.emplace_back(tool.find_string("name").value_or(""));
    }
    return out;
  };
  const Lines everywhere = {"ping",       "protocol_ping_liveness", "delay",
                            "hang",       "disconnect",             "malformed_message",
                            "duplicate_response"};
  Lines stdio = everywhere;
  stdio.emplace_back("response_after_cancellation");
  Lines session = stdio;
  session.emplace_back("session_loss");
  EXPECT_EQ(names(FaultToolOptions::Transport::stdio, true), stdio);
  EXPECT_EQ(names(FaultToolOptions::Transport::http, true), session);
  EXPECT_EQ(names(FaultToolOptions::Transport::http, false), everywhere);
}

TEST(FaultTools, AreUnknownWhereTheyAreNotListed) {
  FaultToolOptions options;
  options.transport = FaultToolOptions::Transport::http;
  ToolsBench bench(options);
  bench.call_modern(1, "session_loss", R"({"activation":"during_request"})");
  EXPECT_THAT(bench.hear().at(0), HasSubstr("-32602"));
}

}  // namespace
}  // namespace squall::inject
