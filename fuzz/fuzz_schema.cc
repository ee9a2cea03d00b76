#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "squall/base/assert.h"
#include "squall/json/parse.h"
#include "squall/schema/schema.h"

// Input: the text of a schema, a zero byte, the text of an instance. No schema or instance may
// crash or hang us; asking for the violations must not change the verdict; and there are
// violations exactly when the verdict is invalid.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  if (split == std::string_view::npos) return 0;
  const auto text = json::parse(input.substr(0, split));
  const auto instance = json::parse(input.substr(split + 1));
  if (!text || !instance) return 0;

  schema::CompileOptions options;
  options.assert_formats = true;
  options.limits.steps = 100'000;
  options.limits.regex_steps = 10'000;
  const auto schema = schema::Schema::compile(*text, options);
  if (!schema) {
    SQUALL_ASSERT(!schema.error().message.empty());
    return 0;
  }
  std::vector<schema::Violation> violations;
  const schema::Verdict verdict = schema->validate(*instance);
  SQUALL_ASSERT(schema->validate(*instance, violations) == verdict);
  SQUALL_ASSERT(violations.empty() == (verdict != schema::Verdict::invalid));
  SQUALL_ASSERT(violations.size() <= options.limits.errors);
  return 0;
}
