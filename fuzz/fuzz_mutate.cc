#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/fault/mutate.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const auto result = json::parse({reinterpret_cast<const char*>(data), size});
  if (!result) return 0;
  const fault::Draws draws{{size}, "r", "[]"};
  // What counts as a change is one, and what doesn't leaves the result as it was.
  const auto check = [&result](const fault::Mutation& mutation) {
    SQUALL_ASSERT(mutation.changed() ==
                  (json::to_string(mutation.result) != json::to_string(*result)));
  };
  check(fault::corrupt(*result, draws));
  for (const std::string_view change : {"dropped", "duplicated", "reordered", "swapped"}) {
    check(fault::change_rows(*result, draws, change, 2));
  }
  for (const std::string_view mode :
       {"type-swap", "drop-required", "wrong-container", "null", "number-as-string",
        "unquoted-keys", "extra", "missing-structured"}) {
    check(fault::break_schema(*result, draws, {mode, "", nullptr}));
  }
  for (const std::string_view unit : {"bytes", "code-points", "blocks", "rows", "share"}) {
    check(fault::truncate(*result, {3, unit, ""}));
  }
  return 0;
}
