// An agent's tools under faults, inside an ordinary test suite: no process, no port, no waiting.
#include <map>
#include <string>

#include "squall/json/write.h"

#include "fault_fixture.h"

namespace {

using namespace squall;
using inject::Invocation;

/// Two tools of a shop, in memory.
class Shop : public FaultFixture {
 protected:
  json::Value run(std::string_view tool, const json::Value& arguments) override {
    if (tool == "create_order") {
      orders_.push_back(std::string(arguments.find_string("sku").value_or("")));
      return tell(json::Value::object({{"status", "created"}, {"number", orders_.size()}}));
    }
    json::Value listed = json::Value::array();
    for (const std::string& sku : orders_) listed.push_back(sku);
    return tell(json::Value::object({{"orders", listed}}));
  }

  static json::Value tell(const json::Value& what) {
    const json::Value block =
        json::Value::object({{"type", "text"}, {"text", json::to_string(what)}});
    return json::Value::object(
        {{"content", json::Value::array({block})}, {"structuredContent", what}});
  }

  /// The agent under test: orders, and orders again when it hears nothing.
  void order_naively(std::string_view sku) {
    const json::Value arguments = json::Value::object({{"sku", sku}});
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (call("create_order", arguments).outcome == Invocation::Outcome::success) return;
    }
  }

  /// One that looks first.
  void order_carefully(std::string_view sku) {
    const json::Value arguments = json::Value::object({{"sku", sku}});
    if (call("create_order", arguments).outcome == Invocation::Outcome::success) return;
    const Invocation listed = call("list_orders", json::Value::object());
    if (json::to_string(listed.result).find(sku) != std::string::npos) return;
    static_cast<void>(call("create_order", arguments));
  }

  std::vector<std::string> orders_;
};

constexpr const char* kLostWrite =
    "squall: 1\n"
    "name: lost-write\n"
    "rules:\n"
    "  - {fault: lost, attempts: [1], when: {tool: create_order}}\n";

TEST_F(Shop, ANaiveRetryBooksTwiceWhenTheResponseIsLost) {
  use(kLostWrite);
  order_naively("A1");
  EXPECT_EQ(orders_.size(), 2U);
}

TEST_F(Shop, ALookBeforeTheRetryBooksOnce) {
  use(kLostWrite);
  order_carefully("A1");
  EXPECT_EQ(orders_.size(), 1U);
}

TEST_F(Shop, TheDecisionTellsWhyAndTheJournalWhat) {
  use(kLostWrite);
  const Invocation call = this->call("create_order", json::Value::object({{"sku", "A1"}}));
  EXPECT_EQ(call.outcome, Invocation::Outcome::lost);
  EXPECT_EQ(call.executed, recording::Executed::yes);
  ASSERT_EQ(call.decision.strikes.size(), 1U);
  EXPECT_EQ(call.decision.strikes[0].site, R"(["args","create_order",{"sku":"A1"},1])");
  EXPECT_FALSE(harness().journal().empty());
}

// One seed in a test repeats a failure; many seeds look for one.
TEST_F(Shop, NoSeedMakesTheCarefulAgentBookTwice) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    orders_.clear();
    use("squall: 1\nname: sweep\nrules:\n"
        "  - {fault: lost, probability: 1/2, attempts: [1], when: {tool: create_order}}\n",
        {seed});
    order_carefully("A1");
    ASSERT_EQ(orders_.size(), 1U) << "seed " << seed;
  }
}

// The second attempt at a call, without the first.
TEST_F(Shop, AnyNumberOfACallCanBeTriedAlone) {
  use(kLostWrite);
  const json::Value arguments = json::Value::object({{"sku", "A1"}});
  const Invocation second =
      harness().invoke_as({.ordinal = 2, .attempt = 2}, "create_order", arguments);
  EXPECT_EQ(second.outcome, Invocation::Outcome::success);
}

}  // namespace
