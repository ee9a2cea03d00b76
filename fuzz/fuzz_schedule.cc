#include <cstddef>
#include <cstdint>
#include <string>

#include "squall/base/assert.h"
#include "squall/fault/schedule.h"
#include "squall/json/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const auto schedule =
      fault::read_schedule("f", std::string(reinterpret_cast<const char*>(data), size));
  if (!schedule) return 0;
  // Written and read again, it lists the same strikes.
  std::vector<fault::Strike> strikes;
  for (const fault::Rule& rule : schedule->rules)
    strikes.push_back({&rule, rule.at, rule.settings});
  const std::string text =
      json::to_string(fault::to_schedule(schedule->name, *schedule->seed, strikes));
  const auto again = fault::read_schedule("f.json", text);
  SQUALL_ASSERT(again.has_value());
  SQUALL_ASSERT(again->rules.size() == schedule->rules.size());
  return 0;
}
