// Scenarios of either form: reading never crashes, and what is read runs to an end on virtual time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "squall/base/assert.h"
#include "squall/lab/builtin.h"
#include "squall/lab/runner.h"

namespace {

using namespace squall;

/// How many operations the steps come to, as far as a run of a fuzzer should go.
std::int64_t operations_of(const std::vector<lab::Step>& steps) {
  constexpr std::int64_t kEnough = 1'000;
  std::int64_t count = 0;
  for (const lab::Step& step : steps) {
    count += 1 + operations_of(step.steps) * step.times;
    if (count > kEnough) return kEnough;
  }
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"f.json", "f.yaml"}) {
    const auto scenario = lab::read_scenario(name, text);
    if (!scenario) {
      SQUALL_ASSERT(!scenario.error().message.empty());
      continue;
    }
    SQUALL_ASSERT(!scenario->name.empty());
    if (operations_of(scenario->steps) > 100) continue;
    static const auto target = lab::make_builtin_target();
    lab::RunOptions options;
    options.protocol = lab::choose_protocol(*scenario, *target, std::nullopt);
    const lab::RunResult result = lab::run_once(*scenario, *target, options);
    SQUALL_ASSERT(result.steps.size() <= 200);
    const bool held = std::all_of(result.steps.begin(), result.steps.end(), [](const auto& step) {
      return step.judgement == lab::Judgement::passed;
    });
    SQUALL_ASSERT(held || result.judgement != lab::Judgement::passed);
  }
  return 0;
}
