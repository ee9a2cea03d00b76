#include "quote.h"

#include <cstddef>

namespace squall::schema {

std::string quote(std::string_view text) {
  constexpr std::size_t kCharactersMax = 50;
  std::size_t bytes = 0;
  std::size_t characters = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool begins_one = (static_cast<unsigned char>(text[bytes]) & 0xC0U) != 0x80U;
    if (begins_one && ++characters > kCharactersMax) break;
  }
  std::string quoted = "\"" + std::string(text.substr(0, bytes)) + "\"";
  if (bytes < text.size()) quoted += "...";
  return quoted;
}

}  // namespace squall::schema
