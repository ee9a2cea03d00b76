#include "text.h"

namespace squall::cli {

std::string quote(std::string_view typed) {
  constexpr std::size_t kBytesMax = 60;
  std::string out = "'";
  for (const char c : typed.substr(0, kBytesMax)) out += c >= ' ' && c <= '~' ? c : '?';
  out += typed.size() > kBytesMax ? "...'" : "'";
  return out;
}

}  // namespace squall::cli
