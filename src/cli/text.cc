#include "text.h"

namespace squall::cli {

std::string quote(std::string_view typed) {
  constexpr std::size_t kBytesMax = 60;
  std::string out = "'";
  for (const char c : typed.substr(0, kBytesMax)) out += c >= ' ' && c <= '~' ? c : '?';
  out += typed.size() > kBytesMax ? "...'" : "'";
  return out;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=@,+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace squall::cli
