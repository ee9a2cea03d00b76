// Draws and decisions. "armed" is the cost of rules that match and do not strike.
#include <string>

#include <benchmark/benchmark.h>

#include "squall/base/assert.h"
#include "squall/fault/builtin.h"
#include "squall/fault/decide.h"

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

BENCHMARK(draw);
BENCHMARK_CAPTURE(decide, armed, kArmed);
BENCHMARK_CAPTURE(decide, chaos, std::string(fault::find_builtin_profile("chaos")->text));

}  // namespace
