// Draws and decisions. "armed" is the cost of rules that match and do not strike.
#include <string>

#include <benchmark/benchmark.h>

#include "squall/base/assert.h"
#include "squall/fault/builtin.h"
#include "squall/fault/decide.h"
#include "squall/inject/injector.h"
#include "squall/json/parse.h"

namespace {

using namespace squall;

void draw(benchmark::State& state) {
  const std::string site = R"(["args","get_account_balance",{"account_id":"ACC-1001"},1])";
  std::uint64_t seed = 0;
  for (auto _ : state) benchmark::DoNotOptimize(fault::draw({seed++}, "err", site, "fire"));
  state.SetItemsProcessed(state.iterations());
}

void decide(benchmark::State& state, const std::string& text) {
  const auto profile = fault::read_profile("p", text);
  SQUALL_ASSERT(profile.has_value());
  fault::Decider decider(*profile, {1337});
  const json::Value arguments = json::Value::object({{"account_id", "ACC-1001"}});
  fault::Arrival arrival;
  arrival.tool = "get_account_balance";
  arrival.arguments = &arguments;
  for (auto _ : state) benchmark::DoNotOptimize(decider.decide(arrival));
  state.SetItemsProcessed(state.iterations());
}

const std::string kArmed =
    "squall: 1\nname: p\nseed: 1\nrules:\n"
    "  - {id: a, fault: error, probability: 1/1000000000}\n"
    "  - {id: b, fault: corrupt, probability: 1/1000000000}\n"
    "  - {id: c, fault: latency, delay: 1s, probability: 1/1000000000}\n"
    "  - {id: d, fault: lost, probability: 1/1000000000}\n";

/// What an injector costs a request and its response that nothing strikes.
void relay(benchmark::State& state, const std::string& text, std::size_t argument_bytes) {
  auto profile = fault::read_profile("p", text);
  SQUALL_ASSERT(profile.has_value());
  const auto injector = inject::Injector::make(*std::move(profile), {1337});
  SQUALL_ASSERT(injector.has_value());
  const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                              R"({"name":"get_account_balance","arguments":{"account_id":")" +
                              std::string(argument_bytes, 'x') + R"("}}})";
  const std::string response = R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})";
  const auto message = json::parse(request);
  const auto answer = json::parse(response);
  std::uint64_t exchange = 0;
  for (auto _ : state) {
    inject::ClientMessage asked;
    asked.exchange = ++exchange;
    asked.bytes = request;
    asked.message = &*message;
    benchmark::DoNotOptimize((*injector)->on(asked));
    inject::ServerMessage answered;
    answered.exchange = exchange;
    answered.bytes = response;
    answered.message = &*answer;
    benchmark::DoNotOptimize((*injector)->on(answered));
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(draw);
BENCHMARK_CAPTURE(decide, armed, kArmed);
BENCHMARK_CAPTURE(relay, off, std::string(fault::find_builtin_profile("off")->text), 20);
BENCHMARK_CAPTURE(relay, armed, kArmed, 20);
BENCHMARK_CAPTURE(relay, armed_1kb, kArmed, 1000);
BENCHMARK_CAPTURE(decide, chaos, std::string(fault::find_builtin_profile("chaos")->text));

}  // namespace
