#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/json/write.h"
#include "squall/json/yaml.h"

// Whatever YAML gives is a JSON value like any other: written as JSON, it parses to itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const auto value = json::parse_yaml({reinterpret_cast<const char*>(data), size});
  if (!value) return 0;
  const auto again = json::parse(json::to_string(*value));
  SQUALL_ASSERT(again.has_value());
  SQUALL_ASSERT(*again == *value);
  return 0;
}
