// Whole runs of a scenario in process on virtual time: ten calls and one fault.
#include <string>

#include <benchmark/benchmark.h>

#include "squall/base/assert.h"
#include "squall/lab/builtin.h"
#include "squall/lab/runner.h"
#include "squall/recording/recorder.h"

namespace {

using namespace squall;

lab::Scenario scenario(const std::string& protocol) {
  std::string text = "squall: 1\nname: ten calls\nprotocol: " + protocol + "\nsteps:\n";
  for (int i = 0; i < 9; ++i) {
    text += "  - call: { tool: ping }\n    expect: { outcome: success }\n";
  }
  text += "  - call: { tool: duplicate_response }\n    expect: { outcome: success }\n";
  auto read = lab::read_scenario("s.yaml", text);
  SQUALL_ASSERT(read.has_value());
  return *std::move(read);
}

/// Each thread has a target of its own, as each job of a suite does.
void run(benchmark::State& state, const std::string& protocol, bool events) {
  const lab::Scenario ten = scenario(protocol);
  const auto target = lab::make_builtin_target();
  lab::RunOptions options;
  options.protocol = lab::choose_protocol(ten, *target, std::nullopt);
  recording::MemoryRecorder recorder;
  for (auto _ : state) {
    recorder.clear();
    const auto result = lab::run_once(ten, *target, options, events ? &recorder : nullptr);
    SQUALL_ASSERT(result.judgement == lab::Judgement::passed);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(run, modern, "\"2026-07-28\"", false)->UseRealTime()->ThreadRange(1, 2);
BENCHMARK_CAPTURE(run, modern_events, "\"2026-07-28\"", true)->UseRealTime()->ThreadRange(1, 2);
BENCHMARK_CAPTURE(run, legacy, "\"2025-11-25\"", false)->UseRealTime()->ThreadRange(1, 2);

}  // namespace
