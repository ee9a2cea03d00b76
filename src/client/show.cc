#include "show.h"

namespace squall::client {

std::string show(std::string_view bytes, std::size_t max) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    if (out.size() >= max) return out + "...";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7F) {
      out += c;
    } else {
      out += "\\x";
      out += kDigits[code >> 4U];
      out += kDigits[code & 15U];
    }
  }
  return out;
}

}  // namespace squall::client
