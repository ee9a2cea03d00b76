// Every kind of the catalogue, with every choice of its settings, is delivered at least once in a
// conversation that has an occasion for it.
#include <gtest/gtest.h>

#include "squall/fault/catalogue.h"

#include "faults.h"
#include "test_support.h"

namespace squall::inject {
namespace {

using fault::Kind;
using fault::Setting;
using std::chrono::seconds;

/// Settings that a choice needs beside it to have an occasion.
std::string besides(const Kind& kind, const std::string& choice) {
  if (kind.name == "handshake" && choice == "slow") return ", delay: 2s";
  if (kind.name == "truncate" && choice == "blocks") return ", keep: 0";
  if (kind.name == "truncate" && choice == "rows") return ", keep: 1";
  if (kind.name == "expire") return ", after-requests: 1";
  return "";
}

/// The rule in YAML flow style: the kind's example, with one setting replaced.
std::string rule_of(const Kind& kind, const std::string& setting, const std::string& choice) {
  std::string out = "  - {fault: " + std::string(kind.name);
  const std::string extra = besides(kind, choice);
  const std::string example(kind.example);
  if (setting.empty()) {
    if (!example.empty()) out += ", " + example;
  } else {
    for (const Setting& one : kind.settings) {
      if (!one.required || one.name == setting) continue;
      if (extra.find(one.name + ":") != std::string::npos) continue;
      const std::size_t at = example.find(one.name + ": ");
      std::string value = example.substr(at);
      std::size_t depth = 0;
      std::size_t end = 0;
      for (; end < value.size(); ++end) {
        if (value[end] == '{' || value[end] == '[') ++depth;
        if (value[end] == '}' || value[end] == ']') --depth;
        if (value[end] == ',' && depth == 0) break;
      }
      out += ", " + value.substr(0, end);
    }
    out += ", " + setting + ": \"" + choice + "\"" + extra;
  }
  return out + "}\n";
}

struct Tally {
  std::string commands;
  std::uint64_t fired = 0;
  std::size_t noops = 0;
  std::string whys;
};

void count(const Seen& seen, Tally& tally) {
  tally.commands += seen.text();
  for (const recording::EventBody& record : seen.records) {
    if (const auto* lost = std::get_if<recording::Delivered>(&record)) {
      EXPECT_EQ(lost->delivery, recording::Delivery::lost);
      tally.commands += "lost by " + lost->rule + ": " + lost->how + "\n";
    }
    const auto* decision = std::get_if<recording::Decision>(&record);
    if (decision == nullptr) continue;
    for (const recording::Considered& one : decision->rules) {
      if (one.standing != recording::Standing::noop) continue;
      ++tally.noops;
      tally.whys += one.why + "; ";
    }
  }
}

/// A conversation with an occasion for everything.
Tally converse(const std::string& rule, fault::Transport transport, bool modern) {
  MiniRelay relay(rule);
  relay.place.transport = transport;
  relay.place.revision = modern ? "2026-07-28" : "2025-11-25";
  Tally tally;
  const std::string meta = modern ? R"(,"_meta":{"modern":true})" : "";
  count(relay.open(Opened::What::connection), tally);
  count(relay.open(Opened::What::process), tally);
  count(relay.request("initialize"), tally);
  if (!modern) {
    relay.place.session = "earlier-session";
    count(relay.open(Opened::What::session, relay.last()), tally);
    relay.place.session = "session-one";
    count(relay.open(Opened::What::session, relay.last()), tally);
  }
  count(relay.request("server/discover"), tally);
  count(relay.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), tally);
  for (int i = 0; i < 3; ++i) count(relay.request("tools/list", R"({"cursor":"1"})"), tally);
  count(relay.call("get_account", R"({"id":"A-1"})", meta), tally);
  count(relay.call("get_account", R"({"id":"A-22"})", meta), tally);
  count(relay.call("search", R"({"id":"A-22"})", meta), tally);
  count(relay.call("search", R"({"id":"B-22"})", R"(,"_meta":{"progressToken":"p"})"), tally);
  // The same question again, answered otherwise and then as before.
  auto usual = relay.server;
  relay.server = [&usual](const json::Value& request) {
    std::vector<std::string> out = usual(request);
    for (std::string& one : out) {
      for (std::size_t at; (at = one.find("2026-08-14")) != std::string::npos;) {
        one.replace(at, 10, "2026-08-15");
      }
    }
    return out;
  };
  count(relay.call("get_account", R"({"id":"A-1"})", meta), tally);
  count(relay.call("get_account", R"({"id":"A-1"})", meta), tally);
  // One that is under way while another is answered, and is cancelled.
  relay.server = [](const json::Value&) { return std::vector<std::string>(); };
  count(relay.call("get_account", R"({"id":"A-3"})", meta), tally);
  const Exchange pending = relay.last();
  relay.server = usual;
  count(relay.call("get_account", R"({"id":"A-4"})", meta), tally);
  count(relay.end(Ended::What::cancelled, relay.last()), tally);
  count(relay.end(Ended::What::cancelled, pending), tally);
  count(relay.end(Ended::What::exchange, pending), tally);
  count(relay.request("resources/list"), tally);
  count(relay.request("resources/read", R"({"uri":"file:///a.txt"})"), tally);
  count(relay.request("subscriptions/listen"), tally);
  count(relay.serve(
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}})"),
        tally);
  count(relay.serve(R"({"jsonrpc":"2.0","id":91,"method":"roots/list"})"), tally);
  count(relay.send(R"({"jsonrpc":"2.0","id":91,"result":{"roots":[]}})"), tally);
  relay.now += seconds(1);
  count(relay.bare("GET"), tally);
  count(relay.bare("DELETE"), tally);
  for (const auto& [id, fired] : relay.injector().fired()) tally.fired += fired;
  EXPECT_LE(relay.injector().struck_exchanges(), 40U);
  return tally;
}

Tally converse_somewhere(const Kind& kind, const std::string& rule) {
  const bool modern = kind.era == fault::Era::modern;
  const fault::Transport transport =
      kind.transport == fault::Transport::any ? fault::Transport::http : kind.transport;
  Tally tally = converse(rule, transport, modern);
  // Shapes such as a missing resultType have an occasion on the other revision only.
  if (tally.fired == 0 && kind.era == fault::Era::both) tally = converse(rule, transport, true);
  return tally;
}

TEST(Kinds, EachHasADelivery) {
  for (const Kind& kind : fault::kinds()) {
    const Fault* fault = find_fault(kind.name);
    ASSERT_NE(fault, nullptr) << kind.name;
    EXPECT_EQ(fault->kind, kind.name);
  }
  EXPECT_EQ(all_faults().size(), fault::kinds().size());
}

TEST(Kinds, EachIsDeliveredAsItsExampleSays) {
  for (const Kind& kind : fault::kinds()) {
    const std::string rule = rule_of(kind, "", "");
    const Tally tally = converse_somewhere(kind, rule);
    EXPECT_GT(tally.fired, 0U) << rule << "noops: " << tally.whys;
    EXPECT_FALSE(tally.commands.empty()) << rule;
    EXPECT_NE(tally.commands.find(" by " + std::string(kind.name)), std::string::npos)
        << rule << tally.commands;
  }
}

TEST(Kinds, EachChoiceOfEachSettingIsDelivered) {
  for (const Kind& kind : fault::kinds()) {
    for (const Setting& setting : kind.settings) {
      for (const std::string& choice : setting.choices) {
        const std::string rule = rule_of(kind, setting.name, choice);
        const Tally tally = converse_somewhere(kind, rule);
        EXPECT_GT(tally.fired, 0U) << rule << "noops: " << tally.whys;
      }
    }
  }
}

TEST(Kinds, NoneTouchesAnythingWhenItsCoinSaysNo) {
  for (const Kind& kind : fault::kinds()) {
    std::string rule = rule_of(kind, "", "");
    rule.insert(rule.rfind('}'), ", probability: 0");
    const bool modern = kind.era == fault::Era::modern;
    const Tally tally = converse(rule, fault::Transport::http, modern);
    EXPECT_EQ(tally.fired, 0U) << rule;
    EXPECT_EQ(tally.commands, "") << rule;
  }
}

}  // namespace
}  // namespace squall::inject
