#include "squall/client/client.h"

#include <gtest/gtest.h>

#include "test_support.h"

namespace squall::client::test {
namespace {

using Kind = Report::Kind;

class BothEras : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Era, BothEras, testing::Bool(),
                         [](const auto& era) { return era.param ? "Modern" : "Legacy"; });

TEST_P(BothEras, CallsATool) {
  ChannelBench bench(GetParam(), [](ScriptedPeer& peer, const json::Value& message) {
    peer.answer(message, text_result("hello"));
  });
  bench.connect();
  const auto outcome = bench.call("greet");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->text(), "hello");
  EXPECT_EQ(kind_of(outcome), OutcomeKind::success);
  const json::Value& request = bench.peer->heard.back();
  EXPECT_EQ(method_of(request), "tools/call");
  EXPECT_TRUE(request.find("params")->find("arguments")->is_object());
  EXPECT_EQ(request.find("params")->contains("_meta"), GetParam());
}

TEST_P(BothEras, TellsToolErrorsFromProtocolErrors) {
  ChannelBench bench(GetParam(), [](ScriptedPeer& peer, const json::Value& message) {
    if (message.find("params")->find_string("name") == "bad") {
      peer.answer(message, R"("isError":true,)" + text_result("boom"));
    } else {
      peer.refuse(message, -32602, R"({"x":1})");
    }
  });
  bench.connect();
  EXPECT_EQ(kind_of(bench.call("bad")), OutcomeKind::tool_error);
  const auto refused = bench.call("nope");
  EXPECT_EQ(kind_of(refused), OutcomeKind::protocol_error);
  EXPECT_EQ(refused.error().code, -32602);
  EXPECT_EQ(json::to_string(refused.error().data), R"({"x":1})");
}

TEST_P(BothEras, TellsTheServerWhenADeadlinePasses) {
  ChannelBench bench(GetParam(), [](ScriptedPeer&, const json::Value&) {});
  bench.connect();
  const auto outcome = bench.call("hang", CallOptions().timeout(500ms));
  EXPECT_EQ(kind_of(outcome), OutcomeKind::timeout);
  bench.loop->run_ready();
  const json::Value& last = bench.peer->heard.back();
  EXPECT_EQ(method_of(last), "notifications/cancelled");
  const json::Value& call = bench.peer->heard[bench.peer->heard.size() - 2];
  EXPECT_EQ(*last.find("params")->find("requestId"), *call.find("id"));
}

TEST_P(BothEras, CancelsByRequestAndByDestruction) {
  ChannelBench bench(GetParam(), [](ScriptedPeer&, const json::Value&) {});
  bench.connect();
  const auto cancellation = std::make_shared<Cancellation>();
  auto call = bench.client->call_tool("hang", {}, CallOptions().cancellation(cancellation));
  call.start();
  bench.loop->run_ready();
  cancellation->cancel("enough");
  const auto outcome = wait_for(*bench.loop, std::move(call));
  EXPECT_EQ(kind_of(outcome), OutcomeKind::cancelled);
  EXPECT_EQ(outcome.error().message, "cancelled: enough");
  EXPECT_EQ(bench.witness.sent_with(R"("reason":"enough")"), 1);
  {
    auto dropped = bench.client->call_tool("hang", {});
    dropped.start();
    bench.loop->run_ready();
  }
  EXPECT_EQ(bench.witness.sent_with("notifications/cancelled"), 2);
}

TEST_P(BothEras, NeverCancelsTheHandshake) {
  auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  ScriptedPeer peer(std::move(far), [](ScriptedPeer&, const json::Value&) {});
  Options options;
  options.negotiation = GetParam() ? Negotiation::modern : Negotiation::legacy;
  options.timeout = 1s;
  Client client(*loop, over_channel(*loop, std::move(near)), options);
  const auto server = finish(*loop, client.connect());
  EXPECT_EQ(kind_of(server), OutcomeKind::timeout);
  loop->run_ready();
  EXPECT_EQ(peer.heard.size(), 1U);
}

}  // namespace
}  // namespace squall::client::test
