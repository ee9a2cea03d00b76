#include <gtest/gtest.h>

#include "test_support.h"

/// @file What peers do wrong, and what must become of it: cases A1, A2, A9, A11, B8, B9, B11, C5,
/// C7, D1, D2, F1, F2, G1, G5, G8, J14, O2, O3 of the field's list.

namespace squall::client::test {
namespace {

using Kind = Report::Kind;

std::string id_of(const json::Value& message) { return json::to_string(*message.find("id")); }

std::string response(std::string_view id, std::string_view text) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{)" + text_result(text) +
         "}}";
}

struct Stray {
  const char* name;
  std::function<std::string(const std::string& id)> text;  // said before the right answer
  Kind kind;
};

std::vector<Stray> strays() {
  std::vector<Stray> out;
  const auto add = [&out](const char* name, std::function<std::string(const std::string&)> text,
                          Kind kind) { out.push_back({name, std::move(text), kind}); };
  add(
      "AnotherId", [](const std::string& id) { return response(id + "000", "stray"); },
      Kind::unknown_response);
  add("IdZero", [](const std::string&) { return response("0", "stray"); }, Kind::unknown_response);
  add(
      "NegativeId", [](const std::string&) { return response("-1", "stray"); },
      Kind::unknown_response);
  add(
      "HugeId", [](const std::string&) { return response("99999999999999999999999", "stray"); },
      Kind::unknown_response);
  add(
      "StringOfTheId", [](const std::string& id) { return response('"' + id + '"', "stray"); },
      Kind::wrong_id_type);
  add(
      "StringOfNothing", [](const std::string&) { return response("\"x\"", "stray"); },
      Kind::unknown_response);
  add(
      "SettledId", [](const std::string&) { return response("1", "stray"); },
      Kind::duplicate_response);
  add(
      "ErrorWithNull",
      [](const std::string&) {
        return std::string(
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}})");
      },
      Kind::error_without_id);
  add(
      "ErrorWithoutId",
      [](const std::string&) {
        return std::string(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"parse"}})");
      },
      Kind::error_without_id);
  add(
      "Array", [](const std::string& id) { return "[" + response(id, "stray") + "]"; },
      Kind::malformed);
  add("EmptyArray", [](const std::string&) { return std::string("[]"); }, Kind::malformed);
  add(
      "HalfAMessage",
      [](const std::string& id) { return R"({"jsonrpc":"2.0","id":)" + id + R"(,"resu)"; },
      Kind::malformed);
  add(
      "Banner", [](const std::string&) { return std::string("Server 1.0 ready \xF0\x9F\x9A\x80"); },
      Kind::malformed);
  add(
      "ForeignJson", [](const std::string&) { return std::string(R"({"Output":1})"); },
      Kind::malformed);
  add("Brackets", [](const std::string&) { return std::string(100'000, '['); }, Kind::malformed);
  add(
      "NoResult", [](const std::string& id) { return R"({"jsonrpc":"2.0","id":)" + id + "}"; },
      Kind::malformed);
  add(
      "NoVersion", [](const std::string& id) { return R"({"id":)" + id + R"(,"result":{}})"; },
      Kind::malformed);
  add(
      "UnknownToken",
      [](const std::string&) {
        return std::string(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                           R"("params":{"progressToken":"gone","progress":1}})");
      },
      Kind::stray_progress);
  add(
      "NumberToken",
      [](const std::string&) {
        return std::string(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                           R"("params":{"progressToken":999,"progress":1}})");
      },
      Kind::stray_progress);
  return out;
}

class StrayMessage : public testing::TestWithParam<std::tuple<bool, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(All, StrayMessage,
                         testing::Combine(testing::Bool(),
                                          testing::Range<std::size_t>(0, strays().size())),
                         [](const auto& which) {
                           return std::string(strays()[std::get<1>(which.param)].name) +
                                  (std::get<0>(which.param) ? "Modern" : "Legacy");
                         });

TEST_P(StrayMessage, IsReportedAndNeverDelivered) {
  const auto [modern, index] = GetParam();
  const Stray stray = strays()[index];
  ChannelBench bench(modern, [&](ScriptedPeer& peer, const json::Value& message) {
    peer.say(stray.text(id_of(message)));
    peer.say(response(id_of(message), "right"));
  });
  bench.connect();
  const int before = bench.witness.count(stray.kind);
  const auto outcome = bench.call("any");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->text(), "right");
  EXPECT_EQ(bench.witness.count(stray.kind), before + 1);
}

TEST(Duplicate, TheFirstResponseWinsAndTheOthersAreReported) {
  ChannelBench bench(true, [](ScriptedPeer& peer, const json::Value& message) {
    peer.say(response(id_of(message), "first"));
    peer.say(response(id_of(message), "second"));
    peer.refuse(message, -32603);
  });
  bench.connect();
  EXPECT_EQ(bench.call("any")->text(), "first");
  bench.loop->run_ready();
  EXPECT_EQ(bench.witness.count(Kind::duplicate_response), 2);
  EXPECT_EQ(bench.call("again")->text(), "first");
}

TEST(LateResponse, IsDroppedWithoutFuss) {
  ChannelBench bench(false, [](ScriptedPeer& peer, const json::Value& message) {
    if (method_of(message) == "notifications/cancelled") {
      peer.say(response(json::to_string(*message.find("params")->find("requestId")), "late"));
    }
  });
  bench.connect();
  EXPECT_EQ(kind_of(bench.call("hang", CallOptions().timeout(1s))), OutcomeKind::timeout);
  bench.loop->run_ready();
  EXPECT_EQ(bench.witness.count(Kind::late_response), 1);
}

TEST(Malformed, IsNamedByTheTimeoutThatFollows) {
  ChannelBench bench(false, [](ScriptedPeer& peer, const json::Value& message) {
    if (method_of(message) == "tools/call") peer.say(R"({"jsonrpc":"2.0","id":5,"resu)");
  });
  bench.connect();
  const auto outcome = bench.call("half", CallOptions().timeout(1s));
  EXPECT_EQ(kind_of(outcome), OutcomeKind::timeout);
  EXPECT_NE(outcome.error().message.find("1 malformed message"), std::string::npos)
      << outcome.error().message;
  EXPECT_NE(outcome.error().message.find("resu"), std::string::npos);
}

TEST(Noise, EndsTheConnectionWherePolicySaysSo) {
  Options options;
  options.noise = Noise::fail;
  ChannelBench bench(
      false,
      [](ScriptedPeer& peer, const json::Value& message) {
        if (method_of(message) == "tools/call") peer.say("DEBUG: here");
      },
      options);
  bench.connect();
  const auto outcome = bench.call("noisy");
  ASSERT_EQ(kind_of(outcome), OutcomeKind::lost);
  EXPECT_NE(outcome.error().message.find("DEBUG: here"), std::string::npos);
  EXPECT_EQ(kind_of(bench.call("later")), OutcomeKind::lost);
}

TEST(Noise, BeforeTheHandshakeIsSkipped) {
  ChannelBench bench(true, [](ScriptedPeer& peer, const json::Value& message) {
    peer.answer(message, text_result("ok"));
  });
  for (int line = 0; line < 35; ++line) bench.peer->say("line of a banner");
  bench.peer->say(R"({"like":"a message"})");
  bench.connect();
  EXPECT_TRUE(bench.call("any").has_value());
  EXPECT_EQ(bench.witness.count(Kind::malformed), 36);
}

/// Says progress every 300 ms for 3 s, then answers.
void progressing(runtime::Loop& loop, ScriptedPeer& peer, const json::Value& message, int step) {
  const json::Value* const meta = message.find("params")->find("_meta");
  const json::Value* const token = meta != nullptr ? meta->find("progressToken") : nullptr;
  if (step == 10) return peer.answer(message, text_result("done"));
  if (token != nullptr) {
    peer.say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
             json::to_string(*token) + R"(,"progress":)" + std::to_string(step) +
             R"(,"total":10,"message":"step"}})");
  }
  loop.call_after(300ms,
                  [&loop, &peer, message, step] { progressing(loop, peer, message, step + 1); });
}

class ProgressClock : public testing::Test {
 protected:
  ProgressClock()
      : bench_(true, [this](ScriptedPeer& peer, const json::Value& message) {
          if (method_of(message) == "tools/call") progressing(*bench_.loop, peer, message, 0);
        }) {
    bench_.connect();
    options_.timeout(1s).on_progress([this](const Progress& progress) {
      EXPECT_EQ(progress.total, 10);
      EXPECT_EQ(progress.message, "step");
      ++steps_;
    });
  }
  ChannelBench bench_;
  CallOptions options_;
  int steps_ = 0;
};

TEST_F(ProgressClock, StartsAgainWithEachStep) {
  EXPECT_EQ(kind_of(bench_.call("slow", options_)), OutcomeKind::success);
  EXPECT_EQ(steps_, 10);
}

TEST_F(ProgressClock, DoesNotWhereThatIsUnwanted) {
  const auto began = bench_.loop->now();
  options_.extend_on_progress(false);
  EXPECT_EQ(kind_of(bench_.call("slow", options_)), OutcomeKind::timeout);
  EXPECT_LT(bench_.loop->now() - began, 1100ms);
}

TEST_F(ProgressClock, EndsAtTheTotalWhateverTheProgress) {
  const auto began = bench_.loop->now();
  options_.total(2s);
  EXPECT_EQ(kind_of(bench_.call("slow", options_)), OutcomeKind::timeout);
  EXPECT_GE(bench_.loop->now() - began, 2s);
  EXPECT_LT(bench_.loop->now() - began, 2100ms);
}

TEST(Concurrency, AnswersInAnyOrderFindTheirCalls) {
  std::vector<json::Value> waiting;
  ChannelBench bench(false, [&](ScriptedPeer& peer, const json::Value& message) {
    waiting.push_back(message);
    if (waiting.size() < 100) return;
    for (std::size_t i = 0; i < 100; ++i) {
      const json::Value& request = waiting[(i * 37 + 11) % 100];
      peer.answer(request, text_result(request.find("params")->find("name")->string()));
    }
  });
  auto connect = bench.client->connect();
  connect.start();
  std::vector<Task<Outcome<ToolResult>>> calls;
  for (int i = 0; i < 100; ++i) {
    calls.push_back(bench.client->call_tool("tool" + std::to_string(i), {}));
    calls.back().start();  // before the handshake: they wait for it
  }
  EXPECT_TRUE(bench.peer->heard.empty());
  EXPECT_TRUE(wait_for(*bench.loop, std::move(connect)).has_value());
  for (int i = 0; i < 100; ++i) {
    const auto outcome = wait_for(*bench.loop, std::move(calls[static_cast<std::size_t>(i)]));
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->text(), "tool" + std::to_string(i));
  }
}

TEST(Limits, BoundWhatIsUnderWay) {
  Options options;
  options.limits.pending = 3;
  ChannelBench bench(true, [](ScriptedPeer&, const json::Value&) {}, options);
  bench.connect();
  std::vector<Task<Outcome<ToolResult>>> calls;
  for (int i = 0; i < 3; ++i) {
    calls.push_back(bench.client->call_tool("hang", {}));
    calls.back().start();
    bench.loop->run_ready();
  }
  const auto refused = bench.call("one more");
  EXPECT_EQ(kind_of(refused), OutcomeKind::lost);
  EXPECT_EQ(refused.error().loss.cause, Loss::Cause::local);
  EXPECT_FALSE(refused.error().may_have_run());
}

TEST(Limits, BoundAnswersThatNobodyReads) {
  ChannelBench bench(false, [](ScriptedPeer&, const json::Value&) {});
  bench.connect();
  bench.peer->stop_reading();
  const std::string id(10'000, 'x');
  for (int ping = 0; ping < 3'000; ++ping) {
    bench.peer->say(R"({"jsonrpc":"2.0","id":")" + id + R"(","method":"ping"})");
    bench.loop->run_ready();
  }
  EXPECT_GT(bench.witness.count(Kind::stray_request), 1'000);
  EXPECT_LT(bench.witness.count(Kind::stray_request), 1'500);
}

TEST(PeerGone, FailsEverythingAtOnceAndEverythingLater) {
  ChannelBench bench(false, [](ScriptedPeer& peer, const json::Value&) { peer.hang_up(); });
  bench.connect();
  const auto began = bench.loop->now();
  const auto outcome = bench.call("crash");
  ASSERT_EQ(kind_of(outcome), OutcomeKind::lost);
  EXPECT_EQ(outcome.error().loss.cause, Loss::Cause::ended);
  EXPECT_TRUE(outcome.error().may_have_run());
  EXPECT_LT(bench.loop->now() - began, 100ms);
  const auto later = bench.call("later");
  ASSERT_EQ(kind_of(later), OutcomeKind::lost);
  EXPECT_FALSE(later.error().may_have_run());
}

TEST(Close, FailsWhatIsUnderWayAndSendsNothingMore) {
  ChannelBench bench(true, [](ScriptedPeer&, const json::Value&) {});
  bench.connect();
  auto call = bench.client->call_tool("hang", {});
  call.start();
  bench.loop->run_ready();
  finish(*bench.loop, bench.client->close());
  EXPECT_EQ(kind_of(wait_for(*bench.loop, std::move(call))), OutcomeKind::lost);
  EXPECT_TRUE(bench.peer->ended);
  EXPECT_EQ(kind_of(bench.call("later")), OutcomeKind::lost);
}

}  // namespace
}  // namespace squall::client::test
