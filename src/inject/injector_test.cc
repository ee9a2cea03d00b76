#include "squall/inject/injector.h"

#include <gmock/gmock.h>

#include "test_support.h"

namespace squall::inject {
namespace {

using recording::Delivery;
using recording::Executed;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

Executed executed(const Seen& seen) {
  Executed out = Executed::unknown;
  for (const recording::EventBody& record : seen.records) {
    if (const auto* upstream = std::get_if<recording::Upstream>(&record)) out = upstream->executed;
  }
  return out;
}

bool has_noop(const Seen& seen) {
  for (const recording::EventBody& record : seen.records) {
    const auto* decision = std::get_if<recording::Decision>(&record);
    if (decision == nullptr) continue;
    for (const recording::Considered& one : decision->rules) {
      if (one.standing == recording::Standing::noop) return true;
    }
  }
  return false;
}

json::Value result_of(const Seen& seen) {
  if (seen.client.empty()) return {};
  const json::Value message = value_of(seen.client.back());
  const json::Value* result = message.find("result");
  return result == nullptr ? json::Value() : *result;
}

TEST(Injector, HandsOnUntouchedWhatNoFaultStrikes) {
  MiniRelay relay("  - {fault: corrupt, when: {tool: other}}\n");
  // Blanks, number forms, unknown members and doubled names stay as they are.
  const std::string request =
      R"( {"id" : 1e0, "x":[1.0,-0], "jsonrpc":"2.0","method":"tools/call",)"
      R"("params":{"name":"t","arguments":{"n":1.50}}})";
  relay.server = [](const json::Value&) {
    return std::vector<std::string>{
        R"({"jsonrpc": "2.0", "id": 1e0, "result": {"content": [], "n": 1E5}})"};
  };
  const Seen seen = relay.send(request);
  EXPECT_TRUE(seen.untouched);
  EXPECT_EQ(seen.upstream.front(), request);
  EXPECT_EQ(seen.client.front(),
            R"({"jsonrpc": "2.0", "id": 1e0, "result": {"content": [], "n": 1E5}})");
}

TEST(Injector, TellsWhetherTheServerRan) {
  MiniRelay before("  - {fault: error, execute: before}\n");
  const Seen refused = before.call("get_account");
  EXPECT_TRUE(refused.upstream.empty());
  EXPECT_EQ(executed(refused), Executed::no);
  EXPECT_TRUE(result_of(refused).find("isError")->boolean());

  MiniRelay after("  - {fault: error, execute: after}\n");
  const Seen failed = after.call("get_account");
  EXPECT_EQ(failed.upstream.size(), 1U);
  EXPECT_EQ(executed(failed), Executed::yes);
  EXPECT_TRUE(result_of(failed).find("isError")->boolean());

  MiniRelay gone("  - {fault: latency, delay: 1s}\n");
  gone.server = [](const json::Value&) { return std::vector<std::string>(); };
  static_cast<void>(gone.call("get_account"));
  EXPECT_EQ(executed(gone.end(Ended::What::exchange, gone.last())), Executed::unknown);
}

TEST(Injector, LosesTheResponseOfWhatRan) {
  MiniRelay relay("  - {fault: lost, how: silence}\n");
  const Seen seen = relay.call("create_order");
  EXPECT_EQ(seen.upstream.size(), 1U);
  EXPECT_TRUE(seen.client.empty());
  EXPECT_EQ(executed(seen), Executed::yes);
}

TEST(Injector, ClosesTheStreamOfALostResponseOverHttpUnlessToldOtherwise) {
  MiniRelay relay("  - {fault: lost}\n");
  const Seen http = relay.call("create_order");
  ASSERT_NE(http.find<End>(), nullptr);
  EXPECT_EQ(http.find<End>()->how, Cut::close);
  MiniRelay lines("  - {fault: lost}\n");
  lines.place.transport = fault::Transport::stdio;
  EXPECT_EQ(lines.call("create_order").find<End>(), nullptr);
}

TEST(Injector, ReportsDoneWhatNeverRan) {
  MiniRelay relay("  - {fault: phantom, result: {status: created}}\n");
  const Seen seen = relay.call("create_order");
  EXPECT_TRUE(seen.upstream.empty());
  EXPECT_EQ(executed(seen), Executed::no);
  EXPECT_EQ(result_of(seen).find("structuredContent")->find_string("status"), "created");
}

TEST(Injector, ChangesTextAndStructureToTheSameWrongValue) {
  MiniRelay relay("  - {fault: corrupt, of: number}\n");
  for (int i = 0; i < 50; ++i) {
    const Seen seen = relay.call("get_account", R"({"id":"A-)" + std::to_string(i) + "\"}");
    const json::Value result = result_of(seen);
    const json::Value told =
        value_of(result.find("content")->items().front().find_string("text").value_or(""));
    EXPECT_EQ(told, *result.find("structuredContent"));
    EXPECT_FALSE(seen.untouched);
  }
}

TEST(Injector, CountsNoStrikeThatFoundNothingToChange) {
  MiniRelay relay("  - {fault: corrupt}\n");
  relay.server = [](const json::Value&) {
    return std::vector<std::string>{R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})"};
  };
  const Seen seen = relay.call("get_account");
  EXPECT_TRUE(seen.untouched);
  EXPECT_TRUE(has_noop(seen));
  EXPECT_TRUE(relay.injector().fired().empty());
}

TEST(Injector, TalliesWhatEachRuleConcernedAndWhereItStruck) {
  MiniRelay relay(
      "  - {id: half, fault: error, probability: 1/2}\n"
      "  - {id: elsewhere, fault: error, when: {tool: search}}\n");
  for (int i = 0; i < 40; ++i) {
    static_cast<void>(relay.call("get_account", R"({"id":"A-)" + std::to_string(i) + "\"}"));
  }
  auto tally = relay.injector().tally();
  ASSERT_EQ(tally.size(), 2U);
  EXPECT_EQ(tally[0].rule, "half");
  EXPECT_EQ(tally[0].eligible, 40U);
  EXPECT_GT(tally[0].fired, 5U);
  EXPECT_LT(tally[0].fired, 35U);
  EXPECT_EQ(tally[1].eligible, 0U);
  EXPECT_EQ(tally[1].fired, 0U);
  // Rules that stay are counted on.
  auto other =
      fault::read_profile("p.yaml",
                          "squall: 1\nname: p\nseed: 7\nrules:\n  - {id: fresh, fault: empty}\n"
                          "  - {id: half, fault: error, probability: 1/2}\n");
  ASSERT_TRUE(other.has_value()) << other.error().message;
  ASSERT_TRUE(relay.injector().replace(*std::move(other)));
  EXPECT_EQ(relay.injector().tally()[0].eligible, 0U);
  EXPECT_EQ(relay.injector().tally()[1].eligible, 40U);
  relay.injector().reset();
  EXPECT_EQ(relay.injector().tally()[1].eligible, 0U);
}

TEST(Injector, StacksFaultsOfDifferentLayers) {
  MiniRelay relay("  - {fault: corrupt, of: number}\n  - {fault: latency, delay: 2s}\n");
  const Seen seen = relay.call("get_account");
  const Send* send = seen.find<Send>();
  ASSERT_NE(send, nullptr);
  EXPECT_EQ(send->after, seconds(2));
  EXPECT_EQ(send->delivery, Delivery::changed);
  EXPECT_THAT(send->rule, HasSubstr("corrupt"));
  EXPECT_THAT(send->rule, HasSubstr("latency"));
}

TEST(Injector, DelaysOneMessageAndNoOther) {
  MiniRelay relay("  - {fault: latency, delay: 9s, when: {tool: slow}}\n");
  EXPECT_EQ(relay.call("slow").find<Send>()->after, seconds(9));
  EXPECT_TRUE(relay.call("quick").untouched);
}

TEST(Injector, LeavesProtocolErrorsOfTheServerAsTheyAre) {
  MiniRelay relay("  - {fault: corrupt}\n  - {fault: truncate, keep: 1, rank: 1}\n");
  const std::string error =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool 7"}})";
  relay.server = [&error](const json::Value&) { return std::vector<std::string>{error}; };
  const Seen seen = relay.call("get_account");
  EXPECT_EQ(seen.client.front(), error);
}

TEST(Injector, WritesChangedMessagesAsTheServerWritesItsOwn) {
  MiniRelay relay("  - {fault: error}\n");
  relay.server = [](const json::Value&) {
    return std::vector<std::string>{
        R"({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "42"}]}})"};
  };
  const Seen seen = relay.call("get_account");
  EXPECT_THAT(seen.client.front(),
              HasSubstr(R"({"jsonrpc": "2.0", "id": 1, "result": {"content": [)"));
}

TEST(Injector, HangsUntilTheCallIsCancelled) {
  MiniRelay relay("  - {fault: hang, until: cancelled}\n");
  const Seen seen = relay.call("get_account");
  EXPECT_TRUE(seen.upstream.empty());
  EXPECT_TRUE(seen.client.empty());
  EXPECT_EQ(relay.injector().struck_exchanges(), 1U);
  const Seen cancelled = relay.end(Ended::What::cancelled, relay.last());
  EXPECT_FALSE(cancelled.untouched) << "a server that never heard of it would be told";
  EXPECT_EQ(relay.injector().struck_exchanges(), 0U);
}

TEST(Injector, AnswersLateBehindTheCancellation) {
  MiniRelay relay("  - {fault: late, after: cancelled}\n");
  EXPECT_TRUE(relay.call("get_account").client.empty());
  const Seen cancelled = relay.end(Ended::What::cancelled, relay.last());
  ASSERT_EQ(cancelled.client.size(), 1U);
  EXPECT_THAT(cancelled.client.front(), HasSubstr("balance_minor"));
}

TEST(Injector, ReleasesHeldResponsesInReverse) {
  MiniRelay relay("  - {fault: reorder, hold: 3, order: reversed}\n");
  EXPECT_TRUE(relay.call("a").client.empty());
  EXPECT_TRUE(relay.call("a").client.empty());
  const Seen third = relay.call("a");
  ASSERT_EQ(third.client.size(), 3U);
  EXPECT_THAT(third.client[0], HasSubstr(R"("id":3)"));
  EXPECT_THAT(third.client[2], HasSubstr(R"("id":1)"));
}

TEST(Injector, ReleasesHeldResponsesWhenTheTimeHasCome) {
  MiniRelay relay("  - {fault: reorder, hold: 3, hold-for: 5s}\n");
  const Seen first = relay.call("a");
  const Wake* wake = first.find<Wake>();
  ASSERT_NE(wake, nullptr);
  EXPECT_EQ(wake->after, seconds(5));
  EXPECT_EQ(relay.wake(wake->token).client.size(), 1U);
}

TEST(Injector, HoldsBackNoMoreThanItsLimit) {
  InjectorOptions options;
  options.held_bytes_max = 100;
  MiniRelay relay("  - {fault: late, after: cancelled}\n", options);
  const Seen seen = relay.call("get_account");
  EXPECT_EQ(seen.client.size(), 1U);
  EXPECT_TRUE(has_noop(seen));
}

TEST(Injector, StrikesNoMoreAtOnceThanItsCap) {
  InjectorOptions options;
  options.concurrent_max = 1;
  MiniRelay relay("  - {fault: hang, until: closed}\n", options);
  EXPECT_TRUE(relay.call("a").client.empty());
  const Exchange first = relay.last();
  EXPECT_EQ(relay.call("a").client.size(), 1U);
  static_cast<void>(relay.end(Ended::What::exchange, first));
  EXPECT_TRUE(relay.call("a").client.empty());
}

TEST(Injector, FreesAConcurrentBudgetWhenTheDelayedAnswerHasLeft) {
  MiniRelay relay("  - {fault: latency, delay: 5s, budget: {concurrent: 1}}\n");
  EXPECT_FALSE(relay.call("a").untouched);
  relay.now = seconds(4);
  EXPECT_TRUE(relay.call("a").untouched);
  relay.now = seconds(5);
  EXPECT_FALSE(relay.call("a").untouched);
}

TEST(Injector, DoesNothingWhileItIsOffAndReleasesWhatItHeld) {
  MiniRelay relay("  - {fault: late, after: cancelled, when: {tool: a}}\n  - {fault: error}\n");
  EXPECT_TRUE(relay.call("a").client.empty());
  const Reaction off = relay.injector().set_enabled(false, {});
  ASSERT_EQ(off.commands.size(), 1U);
  EXPECT_TRUE(relay.call("b").untouched);
  static_cast<void>(relay.injector().set_enabled(true, {}));
  EXPECT_FALSE(relay.call("b").untouched);
}

TEST(Injector, CountsOnWhenItsRulesAreReplaced) {
  MiniRelay relay("  - {id: third, fault: error, key: call, calls: [3]}\n");
  EXPECT_TRUE(relay.call("a").untouched);
  ASSERT_TRUE(relay.injector().replace(
      profile_of("  - {id: other, fault: error, key: call, calls: [3]}\n")));
  EXPECT_TRUE(relay.call("a").untouched);
  EXPECT_FALSE(relay.call("a").untouched);
  relay.injector().reset();
  EXPECT_TRUE(relay.call("a").untouched);
}

TEST(Injector, RefusesKindsThatHaveNoMeaningWhereItStands) {
  InjectorOptions options;
  options.surroundings.transport = fault::Transport::stdio;
  const auto made =
      Injector::make(profile_of("  - {fault: stream-cut, after-events: 1}\n"), {1}, options);
  ASSERT_FALSE(made.has_value());
  EXPECT_THAT(made.error().message, HasSubstr("no meaning on stdio"));
}

TEST(Injector, CutsAStreamBehindSoManyEvents) {
  MiniRelay relay("  - {fault: stream-cut, after-events: 1, how: reset}\n");
  relay.on_stream = true;
  const Seen seen = relay.call("a", "{}", R"(,"_meta":{"progressToken":"p"})");
  ASSERT_EQ(seen.client.size(), 1U);
  EXPECT_THAT(seen.client.front(), HasSubstr("notifications/progress"));
  ASSERT_NE(seen.find<End>(), nullptr);
  EXPECT_EQ(seen.find<End>()->how, Cut::reset);
}

TEST(Injector, AnswersWithAStatusWithoutTheServer) {
  MiniRelay relay("  - {fault: http-status, status: 429, retry-after: seconds, wait: 2s}\n");
  const Seen seen = relay.call("a");
  const Answer* answer = seen.find<Answer>();
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->status, 429U);
  EXPECT_EQ(answer->headers.front(), std::make_pair(std::string("Retry-After"), std::string("2")));
  EXPECT_TRUE(seen.upstream.empty());
  EXPECT_EQ(relay.injector().struck_exchanges(), 0U);
}

TEST(Injector, EndsASessionAfterSoManyRequests) {
  MiniRelay relay("  - {fault: expire, answer: 404, after-requests: 2}\n");
  relay.place.session = "one";
  static_cast<void>(relay.open(Opened::What::session));
  EXPECT_EQ(relay.call("a").find<Answer>(), nullptr);
  EXPECT_EQ(relay.call("a").find<Answer>(), nullptr);
  const Seen third = relay.call("a");
  ASSERT_NE(third.find<Answer>(), nullptr);
  EXPECT_EQ(third.find<Answer>()->status, 404U);
  ASSERT_NE(relay.bare("GET").find<Answer>(), nullptr);
  relay.place.session = "two";
  EXPECT_EQ(relay.call("a").find<Answer>(), nullptr);
}

TEST(Injector, RefusesATokenOnceItHasExpiredAndTakesTheNext) {
  MiniRelay relay("  - {fault: token-expired, when: {method: none}, refresh: ok}\n");
  MiniRelay expiring("  - {fault: token-expired, calls: [1], refresh: ok}\n");
  expiring.headers = {{"Authorization", "Bearer old"}};
  EXPECT_NE(expiring.call("a").find<Answer>(), nullptr);
  EXPECT_NE(expiring.call("a").find<Answer>(), nullptr);
  expiring.headers = {{"Authorization", "Bearer new"}};
  EXPECT_EQ(expiring.call("a").find<Answer>(), nullptr);
}

TEST(Injector, AsksForAScopeUntilItHasRefusedOften) {
  MiniRelay relay("  - {fault: forbidden, need: \"files:write\", satisfied-after: 2}\n");
  EXPECT_EQ(relay.call("a").find<Answer>()->status, 403U);
  EXPECT_THAT(relay.call("a").find<Answer>()->headers.front().second, HasSubstr("files:write"));
  EXPECT_TRUE(relay.call("a").untouched);
}

TEST(Injector, HidesOneToolAndKeepsTheOthers) {
  MiniRelay relay("  - {fault: hide-tool, when: {tool: search}}\n");
  const Seen seen = relay.request("tools/list");
  EXPECT_THAT(seen.client.front(), Not(HasSubstr(R"("name":"search")")));
  EXPECT_THAT(seen.client.front(), HasSubstr(R"("name":"get_account")"));
}

TEST(Injector, CallsARenamedToolByTheNameThatTheServerKnows) {
  MiniRelay relay("  - {fault: rename-tool, to: find, when: {tool: search}}\n");
  EXPECT_THAT(relay.request("tools/list").client.front(), HasSubstr(R"("name":"find")"));
  const Seen seen = relay.call("find");
  EXPECT_THAT(seen.upstream.front(), HasSubstr(R"("name":"search")"));
}

TEST(Injector, ChangesAToolOnlyFromTheListItWasToldTo) {
  MiniRelay relay("  - {fault: rug-pull, what: description, from: 2, when: {tool: search}}\n");
  const Seen first = relay.request("tools/list");
  EXPECT_TRUE(first.untouched);
  EXPECT_FALSE(relay.request("tools/list").untouched);
}

TEST(Injector, ServesAnEarlierAnswer) {
  MiniRelay relay("  - {fault: stale, of: site, attempts: [2]}\n");
  int n = 0;
  relay.server = [&n](const json::Value& request) {
    return std::vector<std::string>{R"({"jsonrpc":"2.0","id":)" +
                                    json::to_string(*request.find("id")) +
                                    R"(,"result":{"content":[{"type":"text","text":"answer )" +
                                    std::to_string(++n) + R"("}]}})"};
  };
  EXPECT_THAT(relay.call("a").client.front(), HasSubstr("answer 1"));
  EXPECT_THAT(relay.call("a").client.front(), HasSubstr("answer 1"));
  EXPECT_THAT(relay.call("a").client.front(), HasSubstr("answer 3"));
}

TEST(Injector, SwallowsAnswersToItsOwnRequests) {
  MiniRelay relay("  - {fault: server-requests, variant: ping-flood, count: 2}\n");
  const Seen seen = relay.serve(R"({"jsonrpc":"2.0","id":5,"method":"roots/list"})");
  ASSERT_EQ(seen.client.size(), 3U);
  const json::Value ping = value_of(seen.client.back());
  EXPECT_EQ(ping.find_string("method"), "ping");
  const Seen answer = relay.send(R"({"jsonrpc":"2.0","id":)" + json::to_string(*ping.find("id")) +
                                 R"(,"result":{}})");
  EXPECT_TRUE(answer.upstream.empty());
  EXPECT_EQ(relay.send(R"({"jsonrpc":"2.0","id":5,"result":{"roots":[]}})").upstream.size(), 1U);
}

TEST(Injector, SurvivesMessagesThatAreNone) {
  MiniRelay relay("  - {fault: corrupt}\n  - {fault: latency, delay: 1s}\n");
  for (const std::string_view bad :
       {R"([])", R"(7)", R"({"method":7})", R"({"id":1})",
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})",
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]})"}) {
    const Seen seen = relay.send(bad);
    EXPECT_LE(seen.client.size(), 1U) << bad;
  }
  ServerMessage garbage;
  garbage.exchange = 1;
  garbage.bytes = "\xff\xfe not JSON";
  static_cast<void>(relay.injector().on(garbage));
}

}  // namespace
}  // namespace squall::inject
