#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

// Whatever parses must come out again as text that parses to the same value and the same text; and
// refusing duplicate keys must be the only difference that refusing them makes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  json::ParseOptions keep;
  keep.duplicates = json::Duplicates::keep;

  const auto lenient = json::parse(text, keep);
  const auto strict = json::parse(text);
  if (strict) SQUALL_ASSERT(lenient.has_value());
  if (!strict && strict.error().reason != json::ParseError::Reason::duplicate_key) {
    SQUALL_ASSERT(!lenient.has_value());
  }
  if (!lenient) return 0;

  const std::string written = json::to_string(*lenient);
  const auto again = json::parse(written, keep);
  SQUALL_ASSERT(again.has_value());
  SQUALL_ASSERT(*again == *lenient);
  SQUALL_ASSERT(json::to_string(*again) == written);
  return 0;
}
