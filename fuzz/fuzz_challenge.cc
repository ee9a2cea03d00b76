#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/auth/challenge.h"
#include "squall/base/assert.h"

namespace {

using namespace squall;

/// The challenges as a header that says the same.
std::string write(const std::vector<auth::Challenge>& challenges) {
  std::string header;
  for (const auth::Challenge& challenge : challenges) {
    if (!header.empty()) header += ", ";
    header += challenge.scheme;
    if (!challenge.token68.empty()) header += " " + challenge.token68;
    std::string_view separator = " ";
    for (const auto& [name, value] : challenge.parameters) {
      header += std::string(separator) + name + "=\"";
      for (const char c : value) {
        if (c == '"' || c == '\\') header += '\\';
        header += c;
      }
      header += '"';
      separator = ", ";
    }
  }
  return header;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto challenges = auth::parse_challenges(text);
  if (!challenges) return 0;
  SQUALL_ASSERT(challenges->size() <= auth::kChallengesMax);
  const std::string again = write(*challenges);
  if (again.size() > auth::kChallengeBytesMax) return 0;
  const auto same = auth::parse_challenges(again);
  SQUALL_ASSERT(same.has_value() && write(*same) == again);
  return 0;
}
