#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/cases/compare.h"
#include "squall/cases/explain.h"
#include "squall/cases/pin.h"
#include "squall/cases/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The two files of a case, with an empty line between them.
  const std::size_t gap = text.find("\n\n");
  if (gap == text.npos) return 0;
  const auto record = recording::parse_case(text.substr(0, gap), text.substr(gap + 2));
  if (!record) return 0;
  const auto verification = cases::verify(*record);
  static_cast<void>(cases::explain_struck(*record));
  static_cast<void>(cases::explain_at(*record, "2"));
  // What is pinned was the profile's own, and a run differs in nothing from itself.
  if (cases::pin(*record)) SQUALL_ASSERT(verification && verification->differing == 0);
  if (const auto sites = cases::sites_of(*record)) {
    SQUALL_ASSERT(cases::compare(*sites, *sites).equal());
  }
  return 0;
}
