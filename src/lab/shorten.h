#pragma once

#include <cstddef>
#include <string>

namespace squall::lab {

/// `text` cut at a character after at most `bytes_max` bytes, with dots behind it then.
[[nodiscard]] inline std::string shorten(std::string text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0U) == 0x80U) {
    --bytes_max;
  }
  text.resize(bytes_max);
  return text + "...";
}

}  // namespace squall::lab
