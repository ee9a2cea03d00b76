#include <cstddef>
#include <cstdint>
#include <string>

#include "squall/base/assert.h"
#include "squall/fault/builtin.h"
#include "squall/fault/decide.h"
#include "squall/json/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(fault::import_fault_mcp("f", text));
  const auto profile = fault::read_profile("f", text);
  if (!profile) {
    SQUALL_ASSERT(!profile.error().message.empty());
    return 0;
  }
  // The normal form is a profile, and the same one.
  const auto again = fault::read_profile("f.json", json::to_string(fault::to_json(*profile)));
  SQUALL_ASSERT(again.has_value());
  SQUALL_ASSERT(fault::hash_of(*again) == fault::hash_of(*profile));
  // Both decide alike, whatever the rules are about.
  fault::Decider one(*profile, {7});
  fault::Decider other(*again, {7});
  const json::Value arguments = json::Value::object({{"account_id", "ACC-1001"}, {"limit", 3}});
  for (int n = 0; n < 4; ++n) {
    fault::Arrival arrival;
    arrival.what = static_cast<fault::Arrival::What>(size % 8);
    arrival.tool = arrival.what == fault::Arrival::What::call ? "search" : "";
    arrival.arguments = &arguments;
    SQUALL_ASSERT(one.decide(arrival).strikes.size() == other.decide(arrival).strikes.size());
  }
  return 0;
}
