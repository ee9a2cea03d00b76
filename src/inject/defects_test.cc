// The defects that were measured in fault-mcp, as far as deciding and delivering go: each is a test
// of ours. The numbers are those of that list; 7 and 18 belong to cases, 20 to its packaging.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "squall/inject/example_tools.h"
#include "squall/inject/harness.h"

#include "test_support.h"

namespace squall::inject {
namespace {

using testing::HasSubstr;

std::unique_ptr<Harness> harness(const std::string& rules) {
  return *Harness::make(call_example_tool, profile_of(rules), {1337});
}

json::Value account(int n) {
  return json::Value::object({{"account_id", "ACC-" + std::to_string(n)}});
}

TEST(Defect01, ARuleMoreReshufflesNothing) {
  const std::string one = "  - {id: a, fault: error, probability: 1/10, rank: 1}\n";
  const std::string more = "  - {id: b, fault: empty, probability: 1/50}\n";
  auto before = harness(one);
  auto after = harness(more + one);
  int changed = 0;
  for (int n = 0; n < 2000; ++n) {
    const Invocation was = before->invoke("get_account_balance", account(n));
    const Invocation now = after->invoke("get_account_balance", account(n));
    if (was.bytes == now.bytes) continue;
    ++changed;
    EXPECT_EQ(now.decision.strikes.front().rule->id, "b");
  }
  EXPECT_GT(changed, 0);
  EXPECT_LE(changed, 60);
}

TEST(Defect02, NumbersAreReadWholeOrRefused) {
  for (const std::string_view seed : {"1337abc", "12.9", "1e3", "0x", "-1", " 7", ""}) {
    EXPECT_FALSE(fault::Seed::parse(seed).has_value()) << seed;
  }
  EXPECT_EQ(fault::Seed::parse("0x10")->value, 16U);
  for (const std::string_view chance : {"0,5", "0.5abc", ".5", "5e-1", "1.5"}) {
    EXPECT_FALSE(fault::Probability::parse(chance).has_value()) << chance;
  }
}

TEST(Defect03, ASeedAbove2To53IsNotRounded) {
  const auto profile = fault::read_profile(
      "p.json", R"({"squall":1,"name":"p","seed":9007199254740993,"rules":[]})");
  ASSERT_TRUE(profile.has_value());
  EXPECT_EQ(profile->seed->value, 9007199254740993U);
}

TEST(Defect04, TheDrawnDelayIsTold) {
  auto calls = harness("  - {fault: latency, delay: {uniform: [1s, 9s]}}\n");
  const Invocation call = calls->invoke("search", account(1));
  EXPECT_GE(call.delay, std::chrono::seconds(1));
  EXPECT_EQ(call.decision.strikes.front().parameters.find_string("delay"),
            fault::time_text(call.delay));
}

TEST(Defect05, TheDrawsAreTold) {
  auto calls = harness("  - {fault: error, probability: 1/10}\n");
  for (int n = 0; n < 20; ++n) {
    const Invocation call = calls->invoke("search", account(n));
    EXPECT_TRUE(call.decision.considered.front().bits.has_value());
  }
}

TEST(Defect06, TheCleanAnswerIsKept) {
  auto calls = harness("  - {fault: corrupt}\n");
  const Invocation call = calls->invoke("get_account_balance", account(1));
  EXPECT_NE(call.result, call.clean);
  EXPECT_EQ(call.clean, call_example_tool("get_account_balance", account(1)));
  bool recorded = false;
  for (const recording::Event& event : calls->journal()) {
    const auto* upstream = std::get_if<recording::Upstream>(&event.body);
    recorded |= upstream != nullptr && upstream->answer.has_value();
  }
  EXPECT_TRUE(recorded);
}

TEST(Defect08, AnotherOrderMovesNoFaultToAnotherAccount) {
  const std::string rules = "  - {fault: corrupt, probability: 1/2}\n";
  auto forward = harness(rules);
  auto backward = harness(rules);
  std::vector<json::Value> first;
  std::vector<json::Value> second;
  for (int n = 0; n < 40; ++n) {
    first.push_back(forward->invoke("get_account_balance", account(n)).result);
    second.push_back(backward->invoke("get_account_balance", account(39 - n)).result);
  }
  for (std::size_t n = 0; n < 40; ++n) EXPECT_EQ(first[n], second[39 - n]);
}

TEST(Defect09, CountersGoOnInAnotherProcess) {
  const std::string rules = "  - {fault: error, key: call, calls: [3]}\n";
  auto first = harness(rules);
  static_cast<void>(first->invoke("search", account(1)));
  static_cast<void>(first->invoke("search", account(2)));
  auto second = harness(rules);
  ASSERT_TRUE(second->injector().stand_at(first->injector().standing()).has_value());
  EXPECT_EQ(second->invoke("search", account(3)).outcome, Invocation::Outcome::error);
  EXPECT_FALSE(second->injector().stand_at(value_of(R"({"a":-1})")).has_value());
}

TEST(Defect10, AnErrorNeedNotHaveRun) {
  int ran = 0;
  auto calls = *Harness::make(
      [&ran](std::string_view, const json::Value&) {
        ++ran;
        return value_of(R"({"content":[]})");
      },
      profile_of("  - {fault: error, execute: before}\n"), {1});
  const Invocation call = calls->invoke("create_order", account(1));
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(call.executed, recording::Executed::no);
}

TEST(Defect11, ThereIsMoreThanTheToolAndStdio) {
  for (const std::string kind : {"stream-unanswered", "http-status, status: 503", "lost"}) {
    MiniRelay relay("  - {fault: " + kind + "}\n");
    EXPECT_FALSE(relay.call("get_account").untouched) << kind;
  }
}

TEST(Defect12, AStrikeChangesSomething) {
  for (const std::string of : {"number", "date", "currency", "id", "any"}) {
    auto calls = harness("  - {fault: corrupt, of: " + of + "}\n");
    for (int n = 0; n < 300; ++n) {
      const Invocation call = calls->invoke("get_account_balance", account(n));
      EXPECT_NE(call.result, call.clean) << of << " " << n;
    }
  }
}

TEST(Defect13, TextAndStructureSayTheSame) {
  auto calls = harness("  - {fault: corrupt}\n");
  for (int n = 0; n < 300; ++n) {
    const json::Value result = calls->invoke("get_account_balance", account(n)).result;
    const auto text = result.find("content")->items().front().find_string("text");
    EXPECT_EQ(value_of(*text), *result.find("structuredContent"));
  }
}

TEST(Defect14, NoDateBecomesImpossible) {
  auto calls = *Harness::make(
      [](std::string_view, const json::Value& arguments) {
        json::Value told = json::Value::object({{"at", "2026-02-27T23:12:04Z"}});
        told.set("n", *arguments.find("account_id"));
        return json::Value::object(
            {{"content", json::Value::array()}, {"structuredContent", told}});
      },
      profile_of("  - {fault: corrupt, of: date}\n"), {1});
  for (int n = 0; n < 300; ++n) {
    const json::Value result = calls->invoke("clock", account(n)).result;
    const std::string at(result.find("structuredContent")->find_string("at").value_or(""));
    ASSERT_EQ(at.size(), 20U);
    const int month = std::stoi(at.substr(5, 2));
    const int day = std::stoi(at.substr(8, 2));
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    ASSERT_TRUE(month >= 1 && month <= 12) << at;
    const int days = kDays[month - 1];
    EXPECT_TRUE(day >= 1 && day <= days) << at;
    EXPECT_LE(std::stoi(at.substr(11, 2)), 23) << at;
    EXPECT_LE(std::stoi(at.substr(14, 2)), 59) << at;
  }
}

TEST(Defect15, FaultsStack) {
  auto calls = harness("  - {fault: corrupt}\n  - {fault: latency, delay: 1s}\n");
  const Invocation call = calls->invoke("get_account_balance", account(1));
  EXPECT_NE(call.result, call.clean);
  EXPECT_EQ(call.delay, std::chrono::seconds(1));
}

TEST(Defect16, RulesMatchToolsAndArgumentsByGlobs) {
  auto calls = harness(
      "  - {fault: error, when: {tool: \"get_*\", arguments: {/account_id: \"ACC-1?\"}}}\n");
  EXPECT_TRUE(calls->invoke("get_account_balance", account(12)).struck());
  EXPECT_FALSE(calls->invoke("get_account_balance", account(2)).struck());
  EXPECT_FALSE(calls->invoke("search", account(12)).struck());
}

TEST(Defect17, TheJournalIsNumberedInTheOrderOfArrival) {
  auto calls = harness("  - {fault: latency, delay: {uniform: [1s, 9s]}}\n");
  for (int n = 0; n < 5; ++n) static_cast<void>(calls->invoke("search", account(n)));
  std::uint64_t seq = 0;
  std::uint64_t in = 0;
  for (const recording::Event& event : calls->journal()) {
    EXPECT_EQ(event.seq, ++seq);
    if (const auto* message = std::get_if<recording::Message>(&event.body)) {
      EXPECT_EQ(message->in, ++in);
      EXPECT_THAT(message->payload.bytes, HasSubstr("\"id\":"));
    }
  }
}

TEST(Defect19, ProtocolErrorsOfTheServerStayWhatTheyAre) {
  MiniRelay relay("  - {fault: corrupt}\n  - {fault: latency, delay: 1s}\n");
  const std::string error =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool"}})";
  relay.server = [&error](const json::Value&) { return std::vector<std::string>{error}; };
  EXPECT_EQ(relay.call("nothing").client.front(), error);
}

}  // namespace
}  // namespace squall::inject
