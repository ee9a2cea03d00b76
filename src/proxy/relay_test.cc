#include "squall/proxy/relay.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/fault/profile.h"

namespace squall::proxy {
namespace {

using inject::Send;

fault::Profile profile_of(const std::string& rules) {
  auto profile = fault::read_profile("test.yaml", "squall: 1\nname: test\nseed: 7\nrules:" +
                                                      (rules.empty() ? " []\n" : "\n" + rules));
  EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().message);
  return profile ? *std::move(profile) : fault::Profile{};
}

/// A relay between scripted peers.
class Wires {
 public:
  explicit Wires(const std::string& rules = "", RelayOptions options = {}) {
    inject::InjectorOptions inject;
    inject.record = true;
    auto made = inject::Injector::make(profile_of(rules), fault::Seed{7}, inject);
    EXPECT_TRUE(made.has_value());
    injector_ = *std::move(made);
    options.recorder = &recorder;
    relay = std::make_unique<Relay>(*injector_, options);
  }

  LinePtr line(std::uint64_t connection = 1, bool shared = false) {
    auto out = std::make_shared<Line>();
    out->shared = shared;
    out->connection = connection;
    out->process = 1;
    return out;
  }
  Actions client(const LinePtr& from, std::string bytes) {
    FromClient arrival;
    arrival.bytes = std::move(bytes);
    return relay->from_client(from, std::move(arrival));
  }
  Actions server(const LinePtr& of, std::string bytes, Exchange exchange = 0) {
    FromServer arrival;
    arrival.bytes = std::move(bytes);
    arrival.exchange = exchange;
    return relay->from_server(of, std::move(arrival));
  }
  /// What actions send, each as "> upstream" or "< client".
  static std::vector<std::string> sent(const Actions& actions) {
    std::vector<std::string> out;
    for (const inject::Command& command : actions.commands) {
      const Send* send = std::get_if<Send>(&command);
      if (send != nullptr)
        out.push_back((send->to == Send::To::client ? "< " : "> ") + *send->bytes);
    }
    return out;
  }
  template <typename Event>
  [[nodiscard]] std::size_t recorded() const {
    std::size_t count = 0;
    for (const auto& event : recorder.events()) count += std::holds_alternative<Event>(event.body);
    return count;
  }

  recording::MemoryRecorder recorder;
  std::unique_ptr<Relay> relay;

 private:
  std::unique_ptr<inject::Injector> injector_;
};

using Sent = std::vector<std::string>;

TEST(Relay, WhatNothingStrikesPassesToTheLastByte) {
  Wires wires;
  const auto line = wires.line();
  for (const std::string text :
       {R"({ "id" : 1.0 ,"x":1e2,"method":"tools/call","params":{"name":"a","z":[1.50]}})",
        R"({"jsonrpc":"2.0","method":"notifications/strange","\u0061":"\/"})", "no JSON at all",
        R"([{"jsonrpc":"2.0","id":3,"method":"ping"}])", R"({"id":9,"id":10,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"result":{"to":"the server"}})"}) {
    const Actions up = wires.client(line, text);
    EXPECT_TRUE(up.untouched && up.unchanged);
    EXPECT_EQ(Wires::sent(up), Sent{"> " + text});
    EXPECT_EQ(Wires::sent(wires.server(line, text)), Sent{"< " + text});
  }
}

TEST(Relay, ResponsesFindTheirRequestByTheTypeOfTheId) {
  Wires wires;
  const auto line = wires.line();
  const Exchange number = wires.client(line, R"({"id":1,"method":"ping"})").exchange;
  const Exchange text = wires.client(line, R"({"id":"1","method":"ping"})").exchange;
  const Exchange zero = wires.client(line, R"({"id":0,"method":"ping"})").exchange;
  // A request of the server has ids of its own.
  EXPECT_EQ(wires.server(line, R"({"id":1,"method":"roots/list"})").exchange, 0U);
  EXPECT_EQ(wires.client(line, R"({"id":1,"result":{"roots":[]}})").commands.size(), 1U);
  EXPECT_EQ(wires.server(line, R"({"id":"1","result":{}})").exchange, text);
  EXPECT_EQ(wires.server(line, R"({"id":1.0,"result":{}})").exchange, number);
  EXPECT_EQ(wires.server(line, R"({"id":0,"error":{"code":1,"message":""}})").exchange, zero);
  EXPECT_EQ(wires.relay->pending(), 0U);
  EXPECT_EQ(wires.server(line, R"({"id":0,"result":{}})").exchange, 0U);
}

TEST(Relay, TwoSessionsMayUseOneId) {
  Wires wires;
  const auto a = wires.line(1);
  const auto b = wires.line(2);
  const Exchange first = wires.client(a, R"({"id":1,"method":"ping"})").exchange;
  const Exchange second = wires.client(b, R"({"id":1,"method":"ping"})").exchange;
  EXPECT_EQ(wires.server(b, R"({"id":1,"result":{}})").exchange, second);
  EXPECT_EQ(wires.server(a, R"({"id":1,"result":{}})").exchange, first);
}

TEST(Relay, SharedServersSeeIdsOfOursAndClientsTheirOwn) {
  Wires wires;
  const auto a = wires.line(1, true);
  const auto b = wires.line(2, true);
  EXPECT_EQ(Wires::sent(wires.client(a, R"({"id" : "x", "method":"ping", "n":1.50})")),
            Sent{R"(> {"id" : 1, "method":"ping", "n":1.50})"});
  EXPECT_EQ(Wires::sent(wires.client(
                b, R"({"id":"x","method":"tools/call","params":{"_meta":{"progressToken":"x"}}})")),
            Sent{R"(> {"id":2,"method":"tools/call","params":{"_meta":{"progressToken":2}}})"});
  const Actions progress = wires.server(
      nullptr, R"({"method":"notifications/progress","params":{"progress":1,"progressToken":2}})");
  EXPECT_EQ(progress.exchange, 2U);
  EXPECT_EQ(std::get<Send>(progress.commands.at(0)).connection, 2U);
  EXPECT_EQ(
      Wires::sent(progress),
      Sent{R"(< {"method":"notifications/progress","params":{"progress":1,"progressToken":"x"}})"});
  EXPECT_EQ(Wires::sent(wires.server(nullptr, R"({"result":{}, "id":2})")),
            Sent{R"(< {"result":{}, "id":"x"})"});
  const Actions other = wires.server(nullptr, R"({"result":{}, "id":1})");
  EXPECT_EQ(std::get<Send>(other.commands.at(0)).connection, 1U);
  EXPECT_TRUE(other.untouched);
  EXPECT_FALSE(other.unchanged);
}

TEST(Relay, SharedServersBelongToNobodyWhoDidNotAsk) {
  Wires wires;
  const auto a = wires.line(1, true);
  static_cast<void>(wires.client(a, R"({"id":"x","method":"subscriptions/listen"})"));
  const std::string key = "io.modelcontextprotocol/subscriptionId";
  const std::string begin = R"({"method":"notifications/tools/list_changed","params":{"_meta":{")";
  EXPECT_EQ(Wires::sent(wires.server(nullptr, begin + key + R"(":1}}})")),
            Sent{"< " + begin + key + R"(":"x"}}})"});
  EXPECT_TRUE(wires.server(nullptr, R"({"method":"notifications/message"})").commands.empty());
  EXPECT_TRUE(wires.server(nullptr, R"({"id":77,"result":{}})").commands.empty());
  EXPECT_EQ(wires.relay->unclaimed(), 2U);
  // Unless only one request can be meant.
  static_cast<void>(wires.client(a, R"({"id":"y","method":"tools/call"})"));
  EXPECT_EQ(wires.server(nullptr, R"({"method":"notifications/message"})").exchange, 5U);
  static_cast<void>(wires.client(a, R"({"id":"z","method":"tools/call"})"));
  EXPECT_TRUE(wires.server(nullptr, R"({"method":"notifications/message"})").commands.empty());
  // What asks must be answered.
  const auto answer = Wires::sent(wires.server(nullptr, R"({"id":5,"method":"roots/list"})"));
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_TRUE(answer[0].starts_with(R"(> {"jsonrpc":"2.0","id":5,"error":{"code":-32601)"));
}

TEST(Relay, CancellationsNameTheRequestAsTheServerKnowsIt) {
  Wires wires;
  const auto a = wires.line(1, true);
  const auto b = wires.line(2, true);
  static_cast<void>(wires.client(a, R"({"id":7,"method":"ping"})"));
  const std::string cancel =
      R"({"method":"notifications/cancelled","params":{"reason":"r","requestId":7}})";
  EXPECT_TRUE(wires.client(b, cancel).commands.empty());  // not its own
  const Actions actions = wires.client(a, cancel);
  EXPECT_EQ(actions.cancelled, 1U);
  EXPECT_EQ(
      Wires::sent(actions),
      Sent{R"(> {"method":"notifications/cancelled","params":{"reason":"r","requestId":1}})"});
}

TEST(Relay, AClientThatIsGoneIsACancellation) {
  Wires wires;
  const auto line = wires.line();
  const Exchange one = wires.client(line, R"({"id":"q","method":"ping"})").exchange;
  const auto told = Wires::sent(wires.relay->gone(one, true, {}));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find(R"("requestId":"q")"), std::string::npos);
  EXPECT_TRUE(wires.relay->gone(one, true, {}).commands.empty());
  EXPECT_EQ(wires.relay->pending(), 0U);
}

TEST(Relay, ToolsHaveAPrefixForTheClientAlone) {
  RelayOptions options;
  options.prefix = "p.";
  options.hide_output_schema = true;
  Wires wires(
      "  - {id: e, fault: error, message: m, execute: before, when: {tool: add}, calls: [2]}\n",
      options);
  const auto line = wires.line();
  static_cast<void>(wires.client(line, R"({"id":1,"method":"tools/list"})"));
  EXPECT_EQ(Wires::sent(wires.server(
                line, R"({"id":1,"result":{"tools":[{"name":"add","outputSchema":{},"x":1.0}]}})")),
            Sent{R"(< {"id":1,"result":{"tools":[{"name":"p.add","x":1.0}]}})"});
  const std::string call = R"({"id":2, "method":"tools/call","params":{"name":"p.add"}})";
  EXPECT_EQ(Wires::sent(wires.client(line, call)),
            Sent{R"(> {"id":2, "method":"tools/call","params":{"name":"add"}})"});
  const auto struck = Wires::sent(wires.client(line, call));
  ASSERT_EQ(struck.size(), 1U);
  EXPECT_TRUE(struck[0].starts_with("< "));
  const auto refused =
      Wires::sent(wires.client(line, R"({"id":3,"method":"tools/call","params":{"name":"add"}})"));
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_NE(refused[0].find("Unknown tool: add"), std::string::npos);
}

TEST(Relay, AStrikeAnswersInPlaceOfTheServer) {
  Wires wires("  - {id: e, fault: error, message: no, execute: before}\n");
  const auto line = wires.line();
  const Actions actions =
      wires.client(line, R"({"id":5,"method":"tools/call","params":{"name":"a"}})");
  EXPECT_FALSE(actions.untouched);
  const auto sent = Wires::sent(actions);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_TRUE(sent[0].starts_with("< "));
  EXPECT_EQ(wires.relay->pending(), 0U);
  EXPECT_EQ(wires.recorded<recording::Decision>(), 1U);
  EXPECT_EQ(wires.recorded<recording::Upstream>(), 1U);
}

TEST(Relay, LostResponsesAreRememberedForTheCancellation) {
  Wires wires("  - {id: l, fault: late, after: cancelled}\n");
  const auto line = wires.line();
  static_cast<void>(wires.client(line, R"({"id":5,"method":"tools/call","params":{"name":"a"}})"));
  const Actions held = wires.server(line, R"({"id":5,"result":{"content":[]}})");
  EXPECT_TRUE(Wires::sent(held).empty());
  EXPECT_EQ(wires.relay->pending(), 1U);
  const Actions cancelled =
      wires.client(line, R"({"method":"notifications/cancelled","params":{"requestId":5}})");
  EXPECT_EQ(Wires::sent(cancelled), Sent{R"(< {"id":5,"result":{"content":[]}})"});
}

TEST(Relay, RevisionsAreLearnt) {
  Wires wires;
  const auto line = wires.line();
  static_cast<void>(wires.client(line, R"({"id":0,"method":"initialize","params":{}})"));
  static_cast<void>(wires.server(line, R"({"id":0,"result":{"protocolVersion":"2025-06-18",)"
                                       R"("serverInfo":{"name":"s","version":"1"}}})"));
  EXPECT_EQ(line->revision, "2025-06-18");
  EXPECT_EQ(wires.relay->server_info().find_string("name"), "s");
  static_cast<void>(
      wires.client(line, R"({"id":1,"method":"ping","params":{)"
                         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})"));
  EXPECT_EQ(line->revision, "2026-07-28");
}

TEST(Relay, WhatIsNeverAnsweredIsForgottenInTheEnd) {
  RelayOptions options;
  options.pending_max = 10;
  Wires wires("", options);
  const auto line = wires.line();
  for (int i = 0; i < 50; ++i) {
    static_cast<void>(wires.client(line, R"({"id":)" + std::to_string(i) + R"(,"method":"ping"})"));
    EXPECT_LE(wires.relay->pending(), 10U);
  }
  EXPECT_EQ(wires.server(line, R"({"id":3,"result":{}})").exchange, 0U);
  EXPECT_NE(wires.server(line, R"({"id":45,"result":{}})").exchange, 0U);
}

}  // namespace
}  // namespace squall::proxy
