#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/json/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall::json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_yaml(text);
  if (!value) {
    SQUALL_ASSERT(value.error().offset <= text.size());
    return 0;
  }
  // Whatever YAML says, it says in JSON, and JSON is YAML again.
  const std::string written = to_string(*value);
  const auto as_json = parse(written);
  SQUALL_ASSERT(as_json.has_value());
  SQUALL_ASSERT(*as_json == *value);
  return 0;
}
