#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/mcp/uri_template.h"

// A template, a line feed, and a URI.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using squall::mcp::UriTemplate;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find('\n');
  const auto parsed = UriTemplate::parse(text.substr(0, cut));
  if (!parsed) return 0;
  const auto names = parsed->names();
  SQUALL_ASSERT(std::set(names.begin(), names.end()).size() == names.size());
  if (cut == std::string_view::npos) return 0;
  const std::string_view uri = text.substr(cut + 1);
  const auto variables = parsed->match(uri);
  if (!variables) return 0;
  SQUALL_ASSERT(variables->size() == names.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    SQUALL_ASSERT((*variables)[i].first == names[i]);
    bytes += (*variables)[i].second.size();
  }
  SQUALL_ASSERT(bytes <= uri.size());
  return 0;
}
