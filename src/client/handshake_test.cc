#include <gtest/gtest.h>

#include "test_support.h"

/// @file How the era is found: cases K4, K10 of the field's list, and what the specification says
/// of recognised modern errors.

namespace squall::client::test {
namespace {

struct Reply {
  const char* name;
  std::function<void(ScriptedPeer&, const json::Value&, int nth)> to_probe;
  bool modern;
};

std::vector<Reply> replies() {
  const auto refusing = [](int code, std::string data = "null") {
    return [code, data](ScriptedPeer& peer, const json::Value& message, int) {
      peer.refuse(message, code, data);
    };
  };
  const auto answering = [](std::string members) {
    return [members](ScriptedPeer& peer, const json::Value& message, int) {
      peer.answer(message, members);
    };
  };
  std::vector<Reply> out;
  out.push_back({"MethodNotFound", refusing(-32601), false});
  out.push_back({"InvalidParams", refusing(-32602), false});
  out.push_back({"InvalidRequest", refusing(-32600), false});
  out.push_back({"NotInitialized", refusing(-32000), false});
  out.push_back({"InternalError", refusing(-32603), false});
  out.push_back({"ForeignCode", refusing(17), false});
  out.push_back({"HeaderMismatch", refusing(-32020), true});
  out.push_back(
      {"MissingCapability", refusing(-32021, R"({"requiredCapabilities":{"sampling":{}}})"), true});
  out.push_back({"LegacyVersionsOnly",
                 refusing(-32022, R"({"supported":["2025-11-25","2025-06-18"]})"), false});
  out.push_back({"UnreadableVersions", refusing(-32022, R"({"supported":7})"), false});
  out.push_back({"VersionAtTheSecondTry",
                 [](ScriptedPeer& peer, const json::Value& message, int nth) {
                   if (nth == 1) {
                     peer.refuse(message, -32022, R"({"supported":["2026-07-28"]})");
                   } else {
                     shake_hands(peer, message, true);
                   }
                 },
                 true});
  out.push_back({"Silence", [](ScriptedPeer&, const json::Value&, int) {}, false});
  out.push_back({"Noise",
                 [](ScriptedPeer& peer, const json::Value&, int) { peer.say("what is that?"); },
                 false});
  out.push_back({"ErrorWithoutId",
                 [](ScriptedPeer& peer, const json::Value&, int) {
                   peer.say(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}})");
                 },
                 false});
  out.push_back({"EmptyResult", answering(""), false});
  out.push_back({"NoCommonVersion",
                 answering(R"("supportedVersions":["2030-01-01"],"capabilities":{})"), false});
  out.push_back(
      {"LenientDiscovery", answering(R"("supportedVersions":["2025-11-25","2026-07-28"])"), true});
  return out;
}

class Probe : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(All, Probe, testing::Range<std::size_t>(0, replies().size()),
                         [](const auto& which) { return replies()[which.param].name; });

TEST_P(Probe, FindsTheEra) {
  const Reply reply = replies()[GetParam()];
  auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  int probes = 0;
  ScriptedPeer peer(std::move(far), [&](ScriptedPeer& from, const json::Value& message) {
    if (method_of(message) == "server/discover") return reply.to_probe(from, message, ++probes);
    if (shake_hands(from, message, false)) return;
    from.answer(message, text_result("ok"));
  });
  Client client(*loop, over_channel(*loop, std::move(near)));
  const auto server = finish(*loop, client.connect());
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(client.is_modern(), reply.modern);
  EXPECT_LE(probes, 2);
  EXPECT_TRUE(finish(*loop, client.call_tool("any", {})).has_value());
  bool initialized = false;
  for (const json::Value& message : peer.heard) {
    initialized = initialized || method_of(message) == "initialize";
  }
  EXPECT_EQ(initialized, !reply.modern);
}

TEST(Probe, IsAHardErrorWhereOnlyOtherModernVersionsAreSpoken) {
  auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  ScriptedPeer peer(std::move(far), [](ScriptedPeer& from, const json::Value& message) {
    from.refuse(message, -32022, R"({"supported":["2030-01-01"]})");
  });
  Client client(*loop, over_channel(*loop, std::move(near)));
  const auto server = finish(*loop, client.connect());
  ASSERT_EQ(kind_of(server), OutcomeKind::protocol_error);
  EXPECT_EQ(server.error().message, "no version in common: the server speaks 2030-01-01");
  EXPECT_EQ(peer.heard.size(), 1U);
}

TEST(PinnedModern, NeverFallsBack) {
  Options options;
  options.negotiation = Negotiation::modern;
  ChannelBench bench(false, [](ScriptedPeer&, const json::Value&) {}, options);
  const auto server = finish(*bench.loop, bench.client->connect());
  ASSERT_EQ(kind_of(server), OutcomeKind::protocol_error);
  EXPECT_NE(server.error().message.find("does not speak 2026-07-28"), std::string::npos);
  EXPECT_EQ(bench.peer->heard.size(), 1U);
  const auto call = bench.call("any");
  EXPECT_EQ(call.error().loss.cause, Loss::Cause::not_connected);
}

TEST(LegacyMode, NeverProbes) {
  Options options;
  options.negotiation = Negotiation::legacy;
  ChannelBench bench(false, [](ScriptedPeer&, const json::Value&) {}, options);
  bench.connect();
  EXPECT_EQ(bench.witness.sent_with("server/discover"), 0);
  EXPECT_EQ(bench.client->server()->info.find_string("name"), "s");
  EXPECT_FALSE(bench.peer->heard.front().find("params")->contains("_meta"));
}

TEST(LegacyMode, ToldOfAModernServerSaysSo) {
  auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  ScriptedPeer peer(std::move(far), [](ScriptedPeer& from, const json::Value& message) {
    from.refuse(message, -32022, R"({"supported":["2026-07-28"],"requested":"2025-11-25"})");
  });
  Options options;
  options.negotiation = Negotiation::legacy;
  Client client(*loop, over_channel(*loop, std::move(near)), options);
  const auto server = finish(*loop, client.connect());
  ASSERT_FALSE(server.has_value());
  EXPECT_EQ(server.error().message, "no version in common: the server speaks 2026-07-28");
}

/// The version that a server answers initialize with, and whether we can speak it.
TEST(Initialize, TakesEveryLegacyVersionAndNothingElse) {
  const std::vector<std::pair<std::string, bool>> versions = {
      {"2024-11-05", true},  {"2025-03-26", true},  {"2025-06-18", true}, {"2025-11-25", true},
      {"2026-07-28", false}, {"2099-01-01", false}, {"", false},
  };
  for (const auto& [version, good] : versions) {
    auto loop = runtime::SimulatedLoop::make();
    auto [near, far] = transport::make_channel_pair(*loop);
    ScriptedPeer peer(std::move(far), [&](ScriptedPeer& from, const json::Value& message) {
      if (method_of(message) == "initialize") {
        from.answer(message, R"("capabilities":{},"protocolVersion":")" + version + '"');
      }
    });
    Options options;
    options.negotiation = Negotiation::legacy;
    Client client(*loop, over_channel(*loop, std::move(near)), options);
    const auto server = finish(*loop, client.connect());
    EXPECT_EQ(server.has_value(), good) << version;
    if (server) {
      EXPECT_EQ(mcp::to_text(server->revision), version);
    }
  }
}

TEST(Initialize, IsTriedAgainWithAVersionThatTheServerNames) {
  auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = transport::make_channel_pair(*loop);
  ScriptedPeer peer(std::move(far), [](ScriptedPeer& from, const json::Value& message) {
    if (method_of(message) != "initialize") return;
    const auto asked = message.find("params")->find_string("protocolVersion");
    if (asked != "2025-06-18") {
      from.refuse(message, -32602, R"({"supported":["2024-11-05","2025-06-18"]})");
    } else {
      from.answer(message, R"("protocolVersion":"2025-06-18","capabilities":{})");
    }
  });
  Options options;
  options.negotiation = Negotiation::legacy;
  Client client(*loop, over_channel(*loop, std::move(near)), options);
  const auto server = finish(*loop, client.connect());
  ASSERT_TRUE(server.has_value());
  EXPECT_EQ(server->revision, mcp::Revision::r2025_06_18);
}

TEST(Connect, FailsWithoutHangingWhereThePeerGoesAway) {
  for (const bool early : {true, false}) {
    auto loop = runtime::SimulatedLoop::make();
    auto [near, far] = transport::make_channel_pair(*loop);
    ScriptedPeer peer(std::move(far), [early](ScriptedPeer& from, const json::Value& message) {
      if (early || method_of(message) == "initialize") return from.hang_up();
      from.refuse(message, -32601);
    });
    Client client(*loop, over_channel(*loop, std::move(near)));
    const auto server = finish(*loop, client.connect());
    EXPECT_EQ(kind_of(server), OutcomeKind::lost);
  }
}

}  // namespace
}  // namespace squall::client::test
